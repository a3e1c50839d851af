import { damaged } from '../../errors.ts';
import { type ByteSource, readFully } from '../../io/source.ts';

/**
 * Codes before bytes that an object wrote with its own method: for up to 255 bytes, for more, and after the last of
 * them.
 */
const SHORT = 0x77;
const LONG = 0x7a;
const END = 0x78;

/** Bytes that Java writes at once. */
const MOST = 1024;

/** Bytes that are read at once. */
const PIECE = 2 ** 16;

/** The least number of bytes that this many bytes need in a stream, in Java's pieces with their codes. */
export function leastBytes(length: number): number {
  const rest = length % MOST;
  return length + 5 * Math.floor(length / MOST) + (rest === 0 ? 0 : rest < 256 ? 2 : 5) + 1;
}

/**
 * The bytes that the last object of a stream wrote with its own method. The source is at the first of them. Throws
 * `format` errors.
 */
export function blockData(source: ByteSource, name: string): ByteSource {
  let ahead = new Uint8Array(0);
  let left = 0;
  let isOver = false;
  const cutOff = () => damaged(name, 'it ends within its Java object');
  /** Reads ahead this many bytes. False at the end. */
  const has = async (length: number) => {
    if (ahead.length >= length) return true;
    const bytes = new Uint8Array(PIECE);
    bytes.set(ahead);
    ahead = bytes.subarray(0, ahead.length + (await readFully(source, bytes.subarray(ahead.length))));
    return ahead.length >= length;
  };
  const take = async (length: number) => {
    if (!(await has(length))) throw cutOff();
    const view = new DataView(ahead.buffer, ahead.byteOffset, length);
    ahead = ahead.subarray(length);
    return view;
  };
  const begin = async () => {
    const code = (await take(1)).getUint8(0);
    if (code === SHORT) left = (await take(1)).getUint8(0);
    else if (code === LONG) left = (await take(4)).getUint32(0);
    else if (code === END) isOver = true;
    else throw damaged(name, 'its Java object has other data instead of bytes');
    if (isOver && (await has(1))) throw damaged(name, 'it has more bytes after its Java object');
  };
  return {
    name: source.name,
    size: undefined,
    read: () => undefined,
    async wait(into) {
      let done = 0;
      while (done < into.length) {
        while (left === 0 && !isOver) await begin();
        if (isOver) break;
        if (!(await has(1))) throw cutOff();
        const part = ahead.subarray(0, Math.min(left, into.length - done));
        into.set(part, done);
        ahead = ahead.subarray(part.length);
        left -= part.length;
        done += part.length;
      }
      return done;
    },
    close: () => source.close(),
  };
}
