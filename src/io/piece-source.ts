import { BloomError, valueType } from '../errors.ts';
import type { ByteSource } from './source.ts';

/** What comes in pieces, of bytes or of text, as a source. What it throws is thrown by reading. */
export function pieceSource(name: string, pieces: AsyncIterable<Uint8Array | string>): ByteSource {
  const iterator = pieces[Symbol.asyncIterator]();
  let piece: Uint8Array = new Uint8Array();
  let isOver = false;
  const take = (into: Uint8Array): number => {
    const part = piece.subarray(0, into.length);
    into.set(part);
    piece = piece.subarray(part.length);
    return part.length;
  };
  return {
    name,
    size: undefined,
    read(into) {
      if (piece.length === 0 && !isOver) return undefined;
      return take(into);
    },
    async wait(into) {
      while (piece.length === 0 && !isOver) {
        const { done, value } = await iterator.next();
        if (done) isOver = true;
        else piece = typeof value === 'string' ? Buffer.from(value) : requireBytes(name, value);
      }
      return take(into);
    },
    close() {
      if (!isOver) giveUp(iterator);
    },
  };
}

/** Throws a `usage` error for pieces that are neither bytes nor text: programs need not be typed. */
function requireBytes(name: string, piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw new BloomError('usage', `${name} come in pieces of text or bytes, and not as ${valueType(piece)}`);
}

/** Tells an iterator that no more is wanted, as another error is the reason: what it throws at that is ignored, as by `for`. */
export function giveUp(iterator: Iterator<unknown> | AsyncIterator<unknown>): void {
  const end = async () => void (await iterator.return?.());
  end().catch(() => {});
}
