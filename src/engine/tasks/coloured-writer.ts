import type { Sink } from '../../io/sink.ts';
import { around, type LineColours } from './colours.ts';

/** Bytes that wait before they are written. */
const ENOUGH = 64 * 1024;

/** What gathers what is printed, and shows some of it in the colour of keys that matched. */
export function createColouredWriter(colours: LineColours, sink: Sink) {
  const [before, behind] = around(colours.match, colours).map((text) => Buffer.from(text));
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  const flush = () => {
    if (waiting > 0) sink.write(Buffer.concat(pieces));
    pieces = [];
    waiting = 0;
  };
  const write = (bytes: Uint8Array) => {
    pieces.push(bytes.slice());
    waiting += bytes.length;
    if (waiting >= ENOUGH) flush();
  };
  return {
    flush,
    write,
    writeText: (text: string) => write(Buffer.from(text)),
    writeMatch(bytes: Uint8Array) {
      if (bytes.length === 0) return;
      for (const piece of [before, bytes, behind]) if (piece !== undefined) write(piece);
    },
  };
}
