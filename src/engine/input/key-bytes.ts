import type { Kernel } from '../../kernel/kernel.ts';
import { PADDING } from './record-buffer.ts';

/** Kernel memory for the bytes of keys, one after the other; where it is too small, there is more elsewhere for those that follow. */
export interface KeyBytes {
  /** Gives up all keys. */
  clear(): void;
  /** Bytes of all keys, at most. */
  total(): number;
  /** Puts bytes there and returns their number; `address` is where they begin. */
  put(bytes: Uint8Array): number;
  /** The same for the UTF-8 of a text. */
  putText(text: string): number;
  /** Address of what was put there last. */
  address(): number;
}

/** Texts of so few characters are written here, one by one, sooner than by anybody who has to be called. */
export const SHORT = 32;

/** Bytes that are written of them: the word of their end too. */
export const SHORT_BYTES = SHORT + 4;

/** Bytes of a character of a text, at most, and the greatest that takes one. */
const UTF8_BYTES = 3;
const LAST_ASCII = 0x7f;

/** Bytes of a word. */
const WORD = 4;

const ENCODER = new TextEncoder();

/**
 * Writes a text of ASCII from a word on, with zeros behind it up to the end of a word, and returns whether it is one; of any other there
 * is no telling what it writes. Words, as what is hashed is read sooner if it was not written byte by byte.
 */
export function writeAscii(text: string, words: Uint32Array, from: number): boolean {
  const whole = text.length & ~3;
  let all = 0;
  let at = from;
  for (let i = 0; i < whole; i += 4) {
    const first = text.charCodeAt(i);
    const second = text.charCodeAt(i + 1);
    const third = text.charCodeAt(i + 2);
    const fourth = text.charCodeAt(i + 3);
    all |= first | second | third | fourth;
    words[at++] = first | (second << 8) | (third << 16) | (fourth << 24);
  }
  let last = 0;
  for (let i = whole; i < text.length; i++) {
    const character = text.charCodeAt(i);
    all |= character;
    last |= character << (8 * (i - whole));
  }
  words[at] = last;
  return all <= LAST_ASCII;
}

/** Writes the UTF-8 of a text, from a word on, and returns the number of its bytes. */
function writeText(text: string, view: Uint8Array, words: Uint32Array, from: number): number {
  if (text.length <= SHORT && writeAscii(text, words, from / WORD)) return text.length;
  return ENCODER.encodeInto(text, from === 0 ? view : view.subarray(from)).written;
}

/** What writes keys to one place, and returns the number of their bytes: -1 for one that is too long for `size` bytes, or no key. */
export function createKeyWriter(kernel: Kernel, address: number, size: number): (key: string | Uint8Array) => number {
  const view = kernel.bytes(address, size);
  const words = new Uint32Array(kernel.memory.buffer, address, size / WORD);
  return (key) => {
    if (typeof key === 'string' && UTF8_BYTES * key.length <= size - WORD) return writeText(key, view, words, 0);
    if (!(key instanceof Uint8Array) || key.length > size) return -1;
    view.set(key);
    return key.length;
  };
}

/** Memory for so many bytes at first. */
export function createKeyBytes(kernel: Kernel, least: number): KeyBytes {
  let size = 0;
  let view: Uint8Array = new Uint8Array();
  let words: Uint32Array = new Uint32Array();
  let start = 0;
  let used = 0;
  let last = 0;
  let total = 0;

  const makeRoom = (bytes: number) => {
    if (used + bytes <= size) return;
    size = WORD * Math.ceil(Math.max(2 * size, bytes, least) / WORD);
    start = kernel.reserve(size + PADDING);
    view = kernel.bytes(start, size);
    words = new Uint32Array(kernel.memory.buffer, start, size / WORD);
    used = 0;
  };
  const take = (bytes: number): number => {
    last = start + used;
    // The next one begins with a word.
    used += (bytes + WORD - 1) & -WORD;
    total += bytes;
    return bytes;
  };
  return {
    clear() {
      used = 0;
      total = 0;
    },
    total: () => total,
    put(bytes) {
      makeRoom(bytes.length);
      view.set(bytes, used);
      return take(bytes.length);
    },
    putText(text) {
      makeRoom(UTF8_BYTES * text.length + WORD);
      return take(writeText(text, view, words, used));
    },
    address: () => last,
  };
}
