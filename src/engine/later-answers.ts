import { fetchReads, openWithoutWaiting, type PositionedFile, withoutWaiting } from '../io/positioned.ts';
import type { ByteRange } from '../io/remote/range-plan.ts';

/** Work on a filter on a server, which is repeated until it reads only what has arrived. */
export interface LaterAnswers {
  /** The result of `work`, while this thread does other work. Rejects with what `work` throws, and with errors of the server. */
  later<T>(work: () => T): Promise<T>;
  /** The same for work that opens the filter. */
  opened<T>(work: () => Promise<T>): Promise<T>;
}

/** A range that work waits for. */
interface Awaited {
  readonly range: ByteRange;
  readonly arrival: Promise<void>;
  arrive(): void;
  fail(error: unknown): void;
}

/** Ranges that are missing at about the same time are fetched together, each of them once. */
export function createLaterAnswers(file: PositionedFile): LaterAnswers {
  /** The names of the ranges. */
  const arrived = new Set<string>();
  const awaited = new Map<string, Awaited>();
  let next: Awaited[] = [];
  const fetchNext = async () => {
    const together = next;
    next = [];
    const end = ({ range: { from, to } }: Awaited) => awaited.delete(nameOf(from, to));
    try {
      await fetchReads(
        file,
        together.map(({ range }) => range),
        ({ from, to }) => {
          const one = awaited.get(nameOf(from, to));
          if (one === undefined) return;
          arrived.add(nameOf(from, to));
          end(one);
          one.arrive();
        },
      );
    } catch (error) {
      for (const one of together) if (end(one)) one.fail(error);
    }
  };
  const arrivalOf = (range: ByteRange): Promise<void> => {
    const name = nameOf(range.from, range.to);
    const known = awaited.get(name);
    if (known !== undefined) return known.arrival;
    let [arrive, fail] = [() => {}, (_: unknown) => {}];
    const arrival = new Promise<void>((resolve, reject) => {
      [arrive, fail] = [resolve, reject];
    });
    const one = { range, arrival, arrive, fail };
    awaited.set(name, one);
    if (next.push(one) === 1) queueMicrotask(() => void fetchNext());
    return arrival;
  };
  return {
    async later(work) {
      for (;;) {
        const done = withoutWaiting(file, (from, to) => arrived.delete(nameOf(from, to)), work);
        if ('result' in done) return done.result;
        await arrivalOf(done.missing);
      }
    },
    async opened(work) {
      for (;;) {
        // The work begins again and reads the same ranges, which are kept for it.
        const done = await openWithoutWaiting(file, (from, to) => arrived.has(nameOf(from, to)), work);
        if ('result' in done) return done.result;
        await arrivalOf(done.missing);
      }
    },
  };
}

function nameOf(from: number, to: number): string {
  return `${from}-${to}`;
}
