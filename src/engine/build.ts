import { BloomError } from '../errors.ts';
import { type FilterKind, type Shape, sum } from '../filters/kind.ts';
import { type KeyRules, rulesOf } from '../format/header.ts';
import { displayName, identityOf } from '../io/look.ts';
import { inDigits } from '../sizing/digits.ts';
import { type Crew, createCrew } from './crew.ts';
import { KEPT_KEYS } from './digest-log.ts';
import { countTogether, estimateTogether } from './distinct.ts';
import { createFilter, type LoadedFilter, openSegments, type SharedFilter, sharedPart } from './filter-file.ts';
import { areRegular, type Observer, type WorkProgress } from './inputs.ts';
import type { KeySelection } from './keys.ts';
import { type Pass, runPass } from './pass.ts';
import { requireMemory } from './payload.ts';
import { type KeyCount, noRoom, roomNeeded } from './room.ts';
import type { Segments } from './segments.ts';
import type { Share, Station, Tally, TaskSpec } from './task.ts';

export interface BuildRequest {
  /** The main thread's. */
  readonly station: Station;
  readonly crew: Crew;
  readonly kind: FilterKind;
  readonly inputs: readonly string[];
  readonly selection: KeySelection;
  readonly rules: KeyRules;
  readonly observer: Observer;
}

/** A filter in memory and what went into it. */
export interface BuildResult {
  readonly filter: SharedFilter;
  readonly shape: Shape;
  readonly segments: Segments;
  /** Keys that were added, repetitions included. */
  readonly inserted: number;
  /** Records that had no key, for want of the selected field. */
  readonly skipped: number;
  /** Keys that a second pass saw, and the first, for which it was sized, did not. */
  readonly late: number;
  /** Distinct keys among those added, where they were counted exactly. */
  readonly distinct: number | undefined;
}

/**
 * Adds the keys of all inputs to a filter, or to a new one of a given shape; with `trims` nobody asked for the size
 * that a filter that grows begins with. `held` is what the filter has already.
 */
export async function buildWithShape(
  request: BuildRequest,
  shape: Shape,
  existing?: SharedFilter,
  trims = false,
  held?: KeyCount,
): Promise<BuildResult> {
  requireMemory(shape, request.kind);
  const begun = existing ?? newFilter(request, shape);
  // One thread lets a filter grow: what would the others do meanwhile?
  const crew = shape.chain === undefined ? request.crew : createCrew(1);
  const shares = await read(
    { ...request, crew },
    { type: 'fill', ...keysOf(request), filter: begun, replay: false, trims },
  );
  const filter = shares.find((share) => share.filter !== undefined)?.filter ?? begun;
  return sealed(request, filter, { counted: shares, filled: shares, held });
}

/** Adds the keys of all inputs to a filter that was loaded. */
export function addToFilter(request: BuildRequest, loaded: LoadedFilter): Promise<BuildResult> {
  const { header, fill } = loaded;
  const held = { keys: header.inserted, distinct: request.kind.itemsFromFill(fill, header) };
  return buildWithShape(request, header, sharedPart(loaded), false, held);
}

/**
 * Removes the keys of all inputs from a filter; those that are absent, and records that have none, are only counted.
 */
export async function removeFrom(
  request: BuildRequest,
  filter: SharedFilter,
): Promise<{ segments: Segments; removed: number; absent: number; skipped: number }> {
  requireMemory(filter.payload.shape, request.kind);
  const shares = await read(request, { type: 'remove', ...keysOf(request), filter });
  const removed = shares.reduce((all, { positives }) => all + positives, 0);
  const { records, keys } = countsOf(shares);
  const segments = await sealDrafts(request, filter);
  return { segments, removed, absent: keys - removed, skipped: records - keys };
}

/**
 * Adds the keys of all inputs to a new filter whose shape `shapeFor` derives from the number of keys to size it for:
 * counted exactly while there are few, else estimated. The digests wait meanwhile. Too many for the memory wait in a
 * temporary file; regular files are read a second time instead.
 */
export async function buildWithSizing(request: BuildRequest, shapeFor: (items: number) => Shape): Promise<BuildResult> {
  const { station, inputs } = request;
  try {
    const identities = new Map(inputs.map((name) => [name, identityOf(name)]));
    const before = countByInput(inputs);
    const isRegular = areRegular(inputs);
    const keptKeys = KEPT_KEYS * request.crew.seats;
    const isReadTwice = () => isRegular && (station.log?.isComplete() === false || sum(before.keys) > keptKeys);
    const shares = await read(
      inPass(request, () => (isReadTwice() ? 1 : undefined)),
      { type: 'survey', ...keysOf(request), spills: !isRegular },
      before.note,
    );
    const first = countsOf(shares);
    const shape = shapeFor(roomNeeded(request.kind, keyCount(station, shares)));
    requireMemory(shape, request.kind);
    const filter = newFilter(request, shape);
    const fill: TaskSpec = { type: 'fill', ...keysOf(request), filter, replay: true };
    if (shares.every(({ kept }) => kept)) {
      const filled = await read({ ...request, inputs: [] }, fill);
      return await sealed(request, filter, { counted: shares, filled });
    }
    const after = countByInput(inputs);
    const again = await read(
      inPass(unchanged(request, identities), () => 2),
      { ...fill, replay: false },
      after.note,
    );
    const second = countsOf(again);
    for (const [i, input] of inputs.entries()) {
      const [counted = 0, added = 0] = [before.keys[i], after.keys[i]];
      if (added >= counted) continue;
      throw new BloomError(
        'input',
        `nothing was written: ${displayName(input)} had ${inDigits(counted)} ${counted === 1 ? 'key' : 'keys'} at its first reading, and ${inDigits(added)} at its second`,
        'build from files that nobody changes, or from a pipe',
      );
    }
    const built = await sealed(request, filter, { counted: again, filled: again });
    return { ...built, late: second.keys - first.keys };
  } finally {
    station.log?.close();
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

/** The same request, whose progress bears the number of the pass. */
function inPass(request: BuildRequest, pass: () => 1 | 2 | undefined): BuildRequest {
  const { observer } = request;
  const onProgress = (progress: WorkProgress) => observer.onProgress?.({ ...progress, pass: pass() });
  return { ...request, observer: { ...observer, onProgress } };
}

function keysOf({ selection, rules }: BuildRequest): Pick<BuildRequest, 'selection' | 'rules'> {
  return { selection, rules: rulesOf(rules) };
}

function newFilter({ kind, crew }: BuildRequest, shape: Shape): SharedFilter {
  return createFilter(kind, shape, crew.seats);
}

function read(
  { station, crew, inputs, observer }: BuildRequest,
  spec: TaskSpec,
  onTally?: Pass['onTally'],
): Promise<Share[]> {
  return runPass({ station, crew, spec, inputs, observer, onTally });
}

/** Counts the keys of each input. */
function countByInput(inputs: readonly string[]): { keys: number[]; note: NonNullable<Pass['onTally']> } {
  const keys = inputs.map(() => 0);
  const note = (input: number, tally: Tally) => {
    keys[input] = (keys[input] ?? 0) + tally.keys;
    return false;
  };
  return { keys, note };
}

function countsOf(shares: readonly Share[]): { records: number; keys: number } {
  return { records: sum(shares.map(({ records }) => records)), keys: sum(shares.map(({ keys }) => keys)) };
}

/** The distinct keys of all threads; undefined if they are too many to be counted. */
function exactly({ kernel }: Station, shares: readonly Share[]): number | undefined {
  return countTogether(
    kernel,
    shares.map(({ distinct }) => distinct),
  );
}

/** The keys of all threads. */
function keyCount(station: Station, shares: readonly Share[]): KeyCount {
  const distinct = exactly(station, shares);
  const sketches = shares.flatMap(({ sketch }) => (sketch === undefined ? [] : [sketch]));
  return {
    keys: countsOf(shares).keys,
    distinct: distinct === undefined ? estimateTogether(sketches) : { count: distinct, error: 0 },
  };
}

/** What threads did to fill a filter. */
interface Filling {
  /** By those that have counted the keys. */
  readonly counted: readonly Share[];
  /** By those that have added them. */
  readonly filled: readonly Share[];
  /** What was in it before. */
  readonly held?: KeyCount | undefined;
}

/** A filter all of whose keys are in. Throws a `capacity` error if some of them found no room. */
async function sealed(request: BuildRequest, filter: SharedFilter, filling: Filling): Promise<BuildResult> {
  const { station, kind } = request;
  const { counted, filled, held } = filling;
  const { records, keys } = countsOf(counted);
  const isFull = filled.some(({ refused = 0 }) => refused > 0);
  const segments = isFull ? undefined : await sealDrafts(request, filter).catch(unlessFull);
  if (segments === undefined) throw noRoom(kind, keyCount(station, counted), held);
  const distinct = exactly(station, counted);
  return { filter, shape: filter.payload.shape, segments, inserted: keys, skipped: records - keys, late: 0, distinct };
}

/** Nothing for the error of a filter that turns out to be full; throws any other. */
function unlessFull(error: unknown): undefined {
  if (!(error instanceof BloomError && error.code === 'capacity')) throw error;
}

/** The segments of a filter, with no drafts left. */
async function sealDrafts(request: BuildRequest, filter: SharedFilter): Promise<Segments> {
  if (filter.payload.drafts) await read({ ...request, inputs: [] }, { type: 'seal', ...keysOf(request), filter });
  return openSegments(filter, request.station.kernel, request.station.seat);
}
