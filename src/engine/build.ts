import type { Filter, FilterKind, Shape } from '../filters/kind.ts';
import type { KeyRules } from '../format/header.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Estimate, estimateFromSketch, SKETCH_REGISTERS } from '../sizing/cardinality.ts';
import { payloadBytes } from '../sizing/geometry.ts';
import { batchKeys, createBatches } from './batches.ts';
import { areRegular, type Observer, readInputs } from './inputs.ts';
import type { KeySelection } from './keys.ts';
import { createScanner } from './scanner.ts';
import { openSpill, type Spill } from './spill.ts';

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

/** Keys that are counted exactly while a filter is being sized. */
const SIZING_KEYS = 2 ** 21;

/** Adds the keys of all inputs to a filter of a given shape: to the one at `address`, or else to a new one. */
export async function buildWithShape(request: BuildRequest, shape: Shape, address?: number): Promise<BuildResult> {
  const work = startWork(request, batchKeys(shape));
  work.fillFilter(shape, address);
  await work.readAll(request.observer);
  return work.finish(work.countExactly());
}

/**
 * Adds the keys of all inputs to a new filter whose shape `shapeFor` derives from the number of distinct keys. The
 * digests of a first pass are counted: exactly if they fit a batch, else by a sketch. Beyond a batch regular files are
 * read a second time, and the digests of anything else wait in a temporary file.
 */
export async function buildWithSizing(
  request: BuildRequest,
  shapeFor: (distinct: Estimate) => Shape,
): Promise<BuildResult> {
  const { kernel, inputs, observer } = request;
  const registers = kernel.reserve(SKETCH_REGISTERS);
  const spill = areRegular(inputs) ? undefined : openSpill();
  try {
    const work = startWork(request, SIZING_KEYS);
    work.handTo((digests, count) => {
      kernel.run.hyperLogLogAdd(registers, digests, count);
      spill?.append(kernel.bytes(digests, 8 * count));
    });
    await work.readAll(observer);
    const exact = work.countExactly();
    if (exact !== undefined) {
      work.fillFilter(shapeFor({ count: exact, error: 0 }));
      return work.finish(exact);
    }
    work.settle();
    work.fillFilter(shapeFor(estimateFromSketch(kernel.bytes(registers, SKETCH_REGISTERS))));
    if (spill === undefined) await work.readAll({ ...observer, onUnreadable: () => {} });
    else work.replay(spill);
    return work.finish(undefined);
  } finally {
    spill?.close();
  }
}

type TakeDigests = (digests: number, count: number) => void;

/** A scanner and who takes its digests: first perhaps a sketch, in the end the filter. */
interface Work {
  handTo(take: TakeDigests): void;
  /** Lets the filter take all digests from now on. */
  fillFilter(shape: Shape, address?: number): void;
  readAll(observer: Observer): Promise<void>;
  /** Distinct keys, if all that were read still wait in the batch and leave room for counting. */
  countExactly(): number | undefined;
  settle(): void;
  /** Hands over the digests of a spill, batch by batch. */
  replay(spill: Spill): void;
  finish(distinct: number | undefined): BuildResult;
}

function startWork({ kernel, kind, inputs, selection, rules }: BuildRequest, keyLimit: number): Work {
  const scratch = kernel.reserve(8 * keyLimit);
  let take: TakeDigests = () => {};
  let handedOver = 0;
  let inserted = 0;
  let skipped = 0;
  let built: Pick<BuildResult, 'shape' | 'address' | 'filter'> | undefined;
  const scanner = createScanner(
    kernel,
    { selection, rules, keyLimit, keepRecords: false },
    {
      keys(digests, _owners, count) {
        handedOver += count;
        take(digests, count);
      },
    },
  );
  const keysSeen = () => handedOver + scanner.pending().count;
  return {
    handTo(taker) {
      take = taker;
    },
    fillFilter(shape, existing) {
      const address = existing ?? reserveFilter(kernel, shape);
      const filter = kind.attach(kernel, shape, address);
      const batches = createBatches(kernel, shape, address, { digests: scratch, owners: 0 });
      built = { shape, address, filter };
      take = (digests, count) => {
        inserted += count;
        batches.visit(digests, 0, count, (part, _, size) => filter.add(part, size));
      };
    },
    async readAll(observer) {
      const before = scanner.records() - keysSeen();
      await readInputs(inputs, observer, (source, onRead) => scanner.scan(source, onRead));
      skipped = scanner.records() - keysSeen() - before;
    },
    countExactly() {
      const { digests, count } = scanner.pending();
      if (handedOver > 0 || 2 * count > keyLimit) return undefined;
      return kernel.run.countDistinct(digests, count, scratch, keyLimit);
    },
    settle: () => scanner.settle(),
    replay(spill) {
      const { digests } = scanner.pending();
      for (;;) {
        const bytes = spill.read(kernel.bytes(digests, 8 * keyLimit));
        if (bytes === 0) return;
        take(digests, bytes / 8);
      }
    },
    finish(distinct) {
      scanner.settle();
      if (built === undefined) throw new Error('no filter was filled');
      return { ...built, inserted, skipped, distinct };
    },
  };
}

/** Reserves a payload and writes its zeros: a page that is first only read would be faulted in twice. */
function reserveFilter(kernel: Kernel, shape: Shape): number {
  const address = kernel.reserve(payloadBytes(shape));
  kernel.bytes(address, payloadBytes(shape)).fill(0);
  return address;
}
