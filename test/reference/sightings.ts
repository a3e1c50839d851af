// What `bloom dedup` remembers of keys, exactly: the filters may only call a key known that is not, and never the other way round.

/** How much is remembered. */
export interface Memory {
  /** Sightings of a key, at most: one is enough to know a record from a first one. */
  readonly sightings: number;
  /** Windows, besides the one that goes on, in which what was seen is remembered; for ever without it. */
  readonly windows?: number;
}

/** A record: its key, undefined if it has none, and the number of the window in which it came. */
export interface Arrival {
  readonly key: string | undefined;
  readonly window: number;
}

/**
 * How many earlier sightings of its key are remembered when each record comes. A sighting is only noted where there is room for one
 * more, in the window in which it came: so what is seen again and again is forgotten when windows have passed, as all else is.
 */
export function createSightings({
  sightings,
  windows = Number.POSITIVE_INFINITY,
}: Memory): (arrival: Arrival) => number {
  const noted = new Map<string, number[]>();
  return ({ key, window }) => {
    if (key === undefined) return 0;
    const remembered = (noted.get(key) ?? []).filter((seen) => window - seen <= windows);
    noted.set(key, remembered.length < sightings ? [...remembered, window] : remembered);
    return remembered.length;
  };
}

/** How many of so many memories, of one sighting each, know the key of a record: each is only told of those that the one before knew. */
export function createLevels(levels: number, windows?: number): (arrival: Arrival) => number {
  const memories = Array.from({ length: levels }, () =>
    createSightings({ sightings: 1, ...(windows !== undefined && { windows }) }),
  );
  return (arrival) => {
    const first = memories.findIndex((memory) => memory(arrival) === 0);
    return first < 0 ? levels : first;
  };
}

/** The windows in which records come, so many in each. */
export function windowsOfRecords(length: number): (record: number) => number {
  return (record) => Math.floor(record / length);
}

/** The windows in which records come at some times: a clock that is set back does not take a window back. */
export function windowsOfTimes(length: number): (time: number) => number {
  let latest = 0;
  return (time) => {
    latest = Math.max(latest, Math.floor(time / length));
    return latest;
  };
}
