import { type ByteRange, type Pace, planRequests, type RequestLimits } from './range-plan.ts';

/** Fetches ranges of a file before they are read. */
export interface ExpectedReads {
  /**
   * Begins to fetch ranges that were not expected before. Returns one byte per range: 1 if it has arrived or failed, so that its read
   * does not wait.
   */
  expect(ranges: readonly ByteRange[]): Uint8Array;
  /** The bytes of an expected range, which are then forgotten; undefined for any other range. Rejects with the error of the request. */
  take(range: ByteRange): Promise<Uint8Array> | undefined;
}

/** More open requests would be unkind to a server. Browsers open 6 connections. */
const LIMITS: RequestLimits = { atOnce: 8, bytes: 2 ** 23 };

/** Bytes that were requested and not read yet, at most. */
const HELD_LIMIT = 96 * 2 ** 20;

/** A request for several expected ranges. */
interface Piece extends ByteRange {
  /** Undefined before the request begins. */
  bytes: Promise<Uint8Array> | undefined;
  hasEnded: boolean;
  /** The expected ranges that were not read yet. */
  unread: number;
}

/** `fetch` requests a range, at a pace that is known when requests are planned. `onArrival` is called at the end of each request. */
export function createExpectedReads(
  fetch: (range: ByteRange) => Promise<Uint8Array>,
  pace: () => Pace,
  onArrival: () => void,
): ExpectedReads {
  /** By the first byte of each range. */
  const expected = new Map<number, { readonly to: number; readonly piece: Piece }>();
  const waiting: Piece[] = [];
  let [running, held] = [0, 0];
  const begin = (piece: Piece): Promise<Uint8Array> => {
    running++;
    held += sizeOf(piece);
    const bytes = fetch({ from: piece.from, to: piece.to }).finally(() => {
      running--;
      piece.hasEnded = true;
      beginMore();
      onArrival();
    });
    // The read of the range gets the error.
    bytes.catch(() => {});
    piece.bytes = bytes;
    return bytes;
  };
  /** Begins a request before its turn. */
  const beginNow = (piece: Piece): Promise<Uint8Array> => {
    waiting.splice(waiting.indexOf(piece), 1);
    return begin(piece);
  };
  const beginMore = () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (running >= LIMITS.atOnce || (held > 0 && held + sizeOf(next) > HELD_LIMIT)) return;
      waiting.shift();
      void begin(next);
    }
  };
  const add = (ranges: readonly ByteRange[]) => {
    const sorted = ranges.toSorted((a, b) => a.from - b.from);
    let i = 0;
    for (const request of planRequests(sorted, pace(), LIMITS)) {
      const piece: Piece = { ...request, bytes: undefined, hasEnded: false, unread: 0 };
      for (let range = sorted[i]; range !== undefined && range.to <= request.to; range = sorted[++i]) {
        if (expected.has(range.from)) continue;
        expected.set(range.from, { to: range.to, piece });
        piece.unread++;
      }
      waiting.push(piece);
    }
  };
  return {
    expect(ranges) {
      add(ranges.filter(({ from }) => !expected.has(from)));
      beginMore();
      const there = Uint8Array.from(ranges, ({ from }) => (expected.get(from)?.piece.hasEnded === true ? 1 : 0));
      // Bytes that nobody reads after an error must not keep these ranges waiting for ever.
      const [first] = ranges;
      const piece = first && expected.get(first.from)?.piece;
      if (running === 0 && piece !== undefined && !there.includes(1)) void beginNow(piece);
      return there;
    },
    take({ from, to }) {
      const known = expected.get(from);
      if (known?.to !== to) return undefined;
      expected.delete(from);
      const { piece } = known;
      return (piece.bytes ?? beginNow(piece))
        .then((all) => all.subarray(from - piece.from, to - piece.from))
        .finally(() => {
          if (--piece.unread > 0) return;
          held -= sizeOf(piece);
          beginMore();
        });
    },
  };
}

function sizeOf({ from, to }: ByteRange): number {
  return to - from;
}
