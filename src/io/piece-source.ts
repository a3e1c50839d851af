import { BloomError, valueType } from '../errors.ts';
import type { ByteSource } from './source.ts';

/** A source of pieces, of bytes or of text. An error of the iterator is thrown by the read. */
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

/** Throws a `usage` error if a piece is neither bytes nor text. The caller may be a program without types. */
function requireBytes(name: string, piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw new BloomError('usage', `${name} must come as pieces of text or bytes, not as ${valueType(piece)}`);
}

/** Ends an iterator because of another error. Errors of the iterator are ignored, as `for` does. */
export function giveUp(iterator: Iterator<unknown> | AsyncIterator<unknown>): void {
  const end = async () => void (await iterator.return?.());
  end().catch(() => {});
}
