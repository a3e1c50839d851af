import type { Readable } from 'node:stream';

/** The most bytes that wait to be read before the stream is paused. */
const AHEAD = 2 ** 20;

/** The bytes of a stream that are not read yet. Bytes before an error can still be read. */
export interface Pieces {
  /** Reads as many available bytes as fit. */
  take(into: Uint8Array): number;
}

/** Lets a stream flow while its bytes are read. Calls `onPiece` after each piece. */
export function piecesOf(stream: Readable, onPiece: () => void): Pieces {
  const pieces: Uint8Array[] = [];
  let ahead = 0;
  stream.on('data', (piece: Uint8Array) => {
    pieces.push(piece);
    ahead += piece.length;
    if (ahead >= AHEAD) stream.pause();
    onPiece();
  });
  return {
    take(into) {
      let done = 0;
      while (done < into.length) {
        const piece = pieces.shift();
        if (piece === undefined) break;
        const part = piece.subarray(0, into.length - done);
        into.set(part, done);
        done += part.length;
        if (part.length < piece.length) pieces.unshift(piece.subarray(part.length));
      }
      ahead -= done;
      if (ahead < AHEAD && stream.isPaused()) stream.resume();
      return done;
    },
  };
}
