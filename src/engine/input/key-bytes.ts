import type { Kernel } from '../../kernel/kernel.ts';
import { PADDING } from './record-buffer.ts';

/** Kernel memory for the bytes of keys, one key after the other. When it is full, further keys get new memory. */
export interface KeyBytes {
  /** Discards all keys. */
  clear(): void;
  /** The maximum of all keys' bytes. */
  total(): number;
  /** Copies bytes, and returns their number; `address` is their address. */
  put(bytes: Uint8Array): number;
  /** The same for the UTF-8 bytes of a text. */
  putText(text: string): number;
  /** The address of the last key. */
  address(): number;
}

/** A loop writes texts of at most this many characters faster than a call of an encoder. */
export const SHORT = 32;

/** Bytes that the loop writes, including the word at the end. */
export const SHORT_BYTES = SHORT + 4;

/** The maximum of UTF-8 bytes per UTF-16 unit, and the last character of one byte. */
const UTF8_BYTES = 3;
const LAST_ASCII = 0x7f;

/** Bytes per word. */
const WORD = 4;

const ENCODER = new TextEncoder();

/**
 * Writes an ASCII text as words, the last one padded with zeros, and returns whether the text is ASCII. For any other text, the written
 * bytes are undefined. Words are faster than bytes: the hash reads words, which would wait for bytes that were just written.
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

/** Writes the UTF-8 bytes of a text at a word, and returns their number. */
function writeText(text: string, view: Uint8Array, words: Uint32Array, from: number): number {
  if (text.length <= SHORT && writeAscii(text, words, from / WORD)) return text.length;
  return ENCODER.encodeInto(text, from === 0 ? view : view.subarray(from)).written;
}

/**
 * Returns a function that writes a key to one place, and returns the number of its bytes. It returns -1 for a value that may not fit in
 * `size` bytes, or is not a key.
 */
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

/** Memory of at least `least` bytes, reserved when the first key comes. */
export function createKeyBytes(kernel: Kernel, least: number): KeyBytes {
  let size = 0;
  let view: Uint8Array = new Uint8Array();
  let words: Uint32Array = new Uint32Array();
  let start = 0;
  let used = 0;
  let last = 0;
  let total = 0;

  const makeSpace = (bytes: number) => {
    if (used + bytes <= size) return;
    size = WORD * Math.ceil(Math.max(2 * size, bytes, least) / WORD);
    start = kernel.reserve(size + PADDING);
    view = kernel.bytes(start, size);
    words = new Uint32Array(kernel.memory.buffer, start, size / WORD);
    used = 0;
  };
  const take = (bytes: number): number => {
    last = start + used;
    // The next key begins with a word.
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
      makeSpace(bytes.length);
      view.set(bytes, used);
      return take(bytes.length);
    },
    putText(text) {
      makeSpace(UTF8_BYTES * text.length + WORD);
      return take(writeText(text, view, words, used));
    },
    address: () => last,
  };
}
