import { BloomError } from '../errors.ts';
import { displayName } from '../io/look.ts';
import { readAt } from '../io/positioned.ts';
import { bears } from '../io/signature.ts';
import { type ByteSource, readFully } from '../io/source.ts';
import type { FilePiece } from './array-blueprint.ts';
import type { Format } from './format.ts';

/** What users have stored after a filter, in files of systems that ignore it. */
export interface Following {
  readonly rest: FilePiece;
  /**
   * Throws a `format` error if it is another filter, because its keys would be lost. In a pipe, all bytes before must
   * have been read.
   */
  check(): Promise<void>;
}

/** The largest number of bytes of a signature. */
const SIGNATURE_BYTES = 8;
const PIECE = 2 ** 20;

/** What follows a filter of a format that ends at a byte of a source. */
export function following(source: ByteSource, from: number, { signatures = [], system }: Format): Following {
  const { file } = source;
  let begun = new Uint8Array(0);
  const read = async (into: Uint8Array, at: number) =>
    file === undefined ? readFully(source, into) : readAt(file, into, at);
  return {
    async check() {
      const head = new Uint8Array(SIGNATURE_BYTES);
      begun = head.subarray(0, await read(head, from));
      if (!signatures.some((signature) => bears(begun, signature))) return;
      throw new BloomError(
        'format',
        `${displayName(source.name)} has several filters of ${system} after each other`,
        'store each in a file of its own; only filters of bloom may follow each other',
      );
    },
    async rest(append) {
      if (file === undefined) await append(begun);
      for (let at = from; ; ) {
        const piece = new Uint8Array(PIECE);
        const count = await read(piece, at);
        if (count === 0) return;
        await append(piece.subarray(0, count));
        at += count;
      }
    },
  };
}
