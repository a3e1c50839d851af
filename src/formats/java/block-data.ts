import { damaged } from '../../errors.ts';
import { type ByteSource, readFully } from '../../io/source.ts';

/** What stands before bytes that an object has written by itself: up to 255, or more; and behind the last of them. */
const SHORT = 0x77;
const LONG = 0x7a;
const END = 0x78;

/** Bytes that Java writes at once. */
const MOST = 1024;

/** Bytes that are read at once. */
const PIECE = 2 ** 16;

/** The least that so many bytes take in a stream, in pieces as long as Java's, with what stands before each and behind the last. */
export function leastBytes(length: number): number {
  const rest = length % MOST;
  return length + 5 * Math.floor(length / MOST) + (rest === 0 ? 0 : rest < 256 ? 2 : 5) + 1;
}

/** The bytes that the last object of a stream has written by itself, from where they begin. Throws `format` errors. */
export function blockData(source: ByteSource, name: string): ByteSource {
  let ahead = new Uint8Array(0);
  let left = 0;
  let isOver = false;
  const cutOff = () => damaged(name, 'it ends within its object of Java');
  /** Sees to it that so many bytes were read ahead; false at the end. */
  const has = async (length: number) => {
    if (ahead.length >= length) return true;
    const bytes = new Uint8Array(PIECE);
    bytes.set(ahead);
    ahead = bytes.subarray(0, ahead.length + (await readFully(source, bytes.subarray(ahead.length))));
    return ahead.length >= length;
  };
  const take = async (length: number) => {
    if (!(await has(length))) throw cutOff();
    const taken = new DataView(ahead.buffer, ahead.byteOffset, length);
    ahead = ahead.subarray(length);
    return taken;
  };
  const begin = async () => {
    const code = (await take(1)).getUint8(0);
    if (code === SHORT) left = (await take(1)).getUint8(0);
    else if (code === LONG) left = (await take(4)).getUint32(0);
    else if (code === END) isOver = true;
    else throw damaged(name, 'its object of Java has something else where its bytes should be');
    if (isOver && (await has(1))) throw damaged(name, 'more bytes follow its object of Java');
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
