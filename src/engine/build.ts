import { BloomError } from '../errors.ts';
import type { Filter, FilterKind, Shape } from '../filters/kind.ts';
import type { KeyRules } from '../format/header.ts';
import { identityOf } from '../io/look.ts';
import { displayName } from '../io/source.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import { payloadBytes } from '../sizing/geometry.ts';
import { type DigestLog, openDigestLog } from './digest-log.ts';
import { createDistinctCounter, createSketch } from './distinct.ts';
import { areRegular, type Observer, readInputs } from './inputs.ts';
import type { KeySelection } from './keys.ts';
import { type Consumer, createScanner, NO_LIMIT } from './scanner.ts';
import { createSegmentVisits, type Digests, type SegmentVisits, VISIT_LIMIT } from './segment-visits.ts';

export interface BuildRequest {
  readonly kernel: Kernel;
  readonly kind: FilterKind;
  readonly inputs: readonly string[];
  readonly selection: KeySelection;
  readonly rules: KeyRules;
  readonly observer: Observer;
}

/** A filter in kernel memory and what went into it. */
export interface BuildResult {
  readonly shape: Shape;
  readonly address: number;
  readonly filter: Filter;
  /** Keys that were added, repetitions included. */
  readonly inserted: number;
  /** Records that had no key, for want of the selected field. */
  readonly skipped: number;
  /** Distinct keys among those added, where they were counted exactly. */
  readonly distinct: number | undefined;
}

/** Adds the keys of all inputs to a filter of a given shape: to the one at `address`, or else to a new one. */
export async function buildWithShape(request: BuildRequest, shape: Shape, address?: number): Promise<BuildResult> {
  const counter = createDistinctCounter(request.kernel);
  const target = openTarget(request, shape, address);
  const { keys, skipped } = await readKeys(request, {
    keys(digests) {
      counter.note(digests);
      target.visits.take(digests);
    },
    lastKeys(digests) {
      counter.note(digests);
      target.visits.takeLast(digests);
    },
  });
  return { ...target, inserted: keys, skipped, distinct: counter.exact() };
}

/**
 * Adds the keys of all inputs to a new filter whose shape `shapeFor` derives from the number of distinct keys: counted
 * exactly while there are few, else estimated. The digests wait meanwhile. Too many for the memory wait in a temporary
 * file; regular files are read a second time instead.
 */
export async function buildWithSizing(
  request: BuildRequest,
  shapeFor: (distinct: Estimate) => Shape,
): Promise<BuildResult> {
  const { kernel, inputs } = request;
  const counter = createDistinctCounter(kernel);
  const sketch = createSketch(kernel);
  const log = openDigestLog(!areRegular(inputs));
  try {
    const note = (digests: Digests) => {
      counter.note(digests);
      sketch.note(digests);
      log.append(kernel.bytes(digests.address, 8 * digests.count));
    };
    const identities = new Map(inputs.map((name) => [name, identityOf(name)]));
    const { keys, skipped } = await readKeys(request, { keys: note, lastKeys: note });
    const distinct = counter.exact();
    const shape = shapeFor(distinct === undefined ? sketch.estimate() : { count: distinct, error: 0 });
    const target = openTarget(request, shape);
    if (replay(kernel, log, target.visits)) return { ...target, inserted: keys, skipped, distinct };
    const second = await readKeys(unchanged(request, identities), {
      keys: target.visits.take,
      lastKeys: target.visits.takeLast,
    });
    if (second.keys < keys) {
      throw new BloomError(
        'input',
        `nothing was written: the inputs had ${keys} keys when they were counted, and ${second.keys} when they were added`,
        'build from files that nobody changes, or from a pipe',
      );
    }
    return { ...target, inserted: second.keys, skipped: second.skipped, distinct: undefined };
  } finally {
    log.close();
  }
}

/**
 * The same request for a second pass. What could not be read the first time has been reported; a name that means
 * another file now is an error, as the keys that were counted are no longer there.
 */
function unchanged(request: BuildRequest, identities: ReadonlyMap<string, string | undefined>): BuildRequest {
  for (const [name, identity] of identities) {
    if (identityOf(name) === identity) continue;
    throw new BloomError(
      'input',
      `nothing was written: ${displayName(name)} was replaced or removed while it was read`,
      'build from files that nobody changes, or from a pipe',
    );
  }
  return { ...request, observer: { ...request.observer, onUnreadable: () => {} } };
}

interface Target extends Pick<BuildResult, 'shape' | 'address' | 'filter'> {
  readonly visits: SegmentVisits;
}

/** The filter that is filled, and the way to it. */
function openTarget({ kernel, kind }: BuildRequest, shape: Shape, existing?: number): Target {
  const address = existing ?? reserveFilter(kernel, shape);
  const filter = kind.attach(kernel, shape, address);
  const visits = createSegmentVisits(kernel, shape, address, false, (digests) =>
    filter.add(digests.address, digests.count),
  );
  return { shape, address, filter, visits };
}

/** Reserves a payload and writes its zeros: a page that is first only read would be faulted in twice. */
function reserveFilter(kernel: Kernel, shape: Shape): number {
  const address = kernel.reserve(payloadBytes(shape));
  kernel.bytes(address, payloadBytes(shape)).fill(0);
  return address;
}

/** Reads all inputs; returns the number of keys, and of records without one. */
async function readKeys(
  { kernel, inputs, selection, rules, observer }: BuildRequest,
  consumer: Consumer,
): Promise<{ keys: number; skipped: number }> {
  const scanner = createScanner(kernel, { selection, rules, recordLimit: NO_LIMIT, keepRecords: false }, consumer);
  await readInputs(inputs, observer, (source, onRead) => scanner.scan(source, onRead));
  scanner.settle();
  const { records, keys } = scanner.tally();
  return { keys, skipped: records - keys };
}

/** Hands the digests of a log over; false if it has not kept them. */
function replay(kernel: Kernel, log: DigestLog, visits: SegmentVisits): boolean {
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const digests = (count: number): Digests => ({ address, count, owners: 0, firstOwner: 0 });
  const kept = log.replay((part) => {
    kernel.bytes(address, part.length).set(part);
    visits.take(digests(part.length / 8));
  });
  visits.takeLast(digests(0));
  return kept;
}
