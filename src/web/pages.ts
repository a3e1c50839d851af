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
  /** The runs of requests for ascending segments. */
  runsOf(segments: readonly number[]): Run[];
  /** The segments of a run. Rejects with the error of its request, and the next call tries again. */
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

  /** Requests a run. Readers of its segments wait for the same request. */
  function start(run: Run): Promise<Uint8Array[]> {
    const pages = load(run);
    for (let i = 0; i < run.count; i++) {
      const segment = run.first + i;
      const page = pages
        .then((all) => {
          const one = all[i] as Uint8Array;
          keep(segment, one);
          return one;
        })
        .finally(() => loading.delete(segment));
      // Nobody may wait for this page.
      page.catch(() => {});
      loading.set(segment, page);
    }
    return pages;
  }

  return {
    runsOf(segments) {
      const runs: { first: number; count: number }[] = [];
      for (const segment of segments) {
        const last = runs.at(-1) ?? { first: Number.NEGATIVE_INFINITY, count: 0 };
        const count = segment - last.first + 1;
        const gap = (count - 1 - last.count) * pageBytes;
        const isKept = kept.has(segment) || loading.has(segment);
        if (!isKept && gap <= GAP_BYTES && count * pageBytes <= RUN_BYTES) last.count = count;
        else runs.push({ first: segment, count: 1 });
      }
      return runs;
    },
    async getRun(run) {
      const known = run.count === 1 ? (kept.get(run.first) ?? loading.get(run.first)) : undefined;
      if (known === undefined) return start(run);
      const page = await known;
      keep(run.first, page);
      return [page];
    },
    clear() {
      kept.clear();
      loading.clear();
    },
  };
}
