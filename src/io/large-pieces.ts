import type { Conversion } from './conversion.ts';

/** Bytes of a piece. A smaller write costs more than a copy of its bytes. */
const PIECE = 256 * 1024;

/** Joins small pieces before it appends them. */
export const inLargePieces: Conversion = (append) => {
  const piece = new Uint8Array(PIECE);
  let held = 0;
  const end = async () => {
    const bytes = piece.subarray(0, held);
    held = 0;
    if (bytes.length > 0) await append(bytes);
  };
  return {
    async append(bytes) {
      if (held + bytes.length > PIECE) await end();
      if (bytes.length > PIECE) return append(bytes);
      piece.set(bytes, held);
      held += bytes.length;
    },
    end,
  };
};
