// The segments of a filter that are in memory. Concurrent readers of a segment share one request.

/** The most bytes between two segments that one request reads both of, and the most bytes of a request. */
const GAP_BYTES = 16 * 1024;
const RUN_BYTES = 4 * 2 ** 20;

/** Adjacent segments, which one request reads. */
export interface Run {
  readonly first: number;
  readonly count: number;
}

export interface Pages {
  /** A segment. Rejects with the error of its request, and the next call tries again. */
  get(segment: number): Promise<Uint8Array>;
  /** The runs of requests for ascending segments. */
  runsOf(segments: readonly number[]): Run[];
  /** The segments of a run that are needed. */
  getRun(run: Run): Promise<Uint8Array[]>;
  clear(): void;
}

/**
 * Pages of `pageBytes` bytes each, of which at most `limit` bytes are kept. `load` reads a run and returns its verified
 * segments.
 */
export function createPages(pageBytes: number, limit: number, load: (run: Run) => Promise<Uint8Array[]>): Pages {
  /** From the segment that was used longest ago on. */
  const kept = new Map<number, Uint8Array>();
  const loading = new Map<number, Promise<Uint8Array>>();

  function keep(segment: number, page: Uint8Array): void {
    kept.delete(segment);
    kept.set(segment, page);
    for (const oldest of kept.keys()) {
      if (kept.size * pageBytes <= limit || oldest === segment) break;
      kept.delete(oldest);
    }
  }

  function start(run: Run): Promise<Uint8Array[]> {
    const pages = load(run);
    for (let i = 0; i < run.count; i++) {
      const segment = run.first + i;
      const page = pages.then(
        (all) => {
          const one = all[i];
          if (one === undefined) throw new Error('a run lacks a segment');
          loading.delete(segment);
          keep(segment, one);
          return one;
        },
        (error: unknown) => {
          loading.delete(segment);
          throw error;
        },
      );
      // Nobody may wait for this page.
      page.catch(() => {});
      loading.set(segment, page);
    }
    return pages;
  }

  async function get(segment: number): Promise<Uint8Array> {
    const page = kept.get(segment);
    if (page === undefined) {
      if (!loading.has(segment)) void start({ first: segment, count: 1 }).catch(() => {});
      return loading.get(segment) ?? get(segment);
    }
    keep(segment, page);
    return page;
  }

  return {
    get,
    runsOf(segments) {
      const runs: { first: number; count: number }[] = [];
      for (const segment of segments) {
        const last = runs.at(-1);
        const count = last === undefined ? 0 : segment - last.first + 1;
        const gap = last === undefined ? 0 : (segment - last.first - last.count) * pageBytes;
        const isKept = kept.has(segment) || loading.has(segment);
        if (last !== undefined && !isKept && gap <= GAP_BYTES && count * pageBytes <= RUN_BYTES) last.count = count;
        else runs.push({ first: segment, count: 1 });
      }
      return runs;
    },
    getRun: (run) => (run.count === 1 ? get(run.first).then((page) => [page]) : start(run)),
    clear() {
      kept.clear();
      loading.clear();
    },
  };
}
