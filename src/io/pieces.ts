import type { Readable } from 'node:stream';

/** Bytes that may wait to be taken, before the stream that makes them is told to wait. */
const AHEAD = 2 ** 20;

/** What came out of a stream, until it is taken. What came before an error is not lost with it. */
export interface Pieces {
  /** Takes as many bytes as are there and fit in. */
  take(into: Uint8Array): number;
}

/** Lets a stream flow as long as what it makes is taken. `onPiece` hears of every piece. */
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
