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

/** Bytes of a character of a text, at most, and the greatest that takes one. */
const UTF8_BYTES = 3;
const LAST_ASCII = 0x7f;

const ENCODER = new TextEncoder();

/** Writes a text of ASCII, and returns whether it is one; of any other there is no telling what it writes. */
export function writeAscii(text: string, view: Uint8Array, from: number): boolean {
  let all = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    all |= character;
    view[from + i] = character;
  }
  return all <= LAST_ASCII;
}

/** Memory for so many bytes at first. */
export function createKeyBytes(kernel: Kernel, least: number): KeyBytes {
  let size = 0;
  let view: Uint8Array = new Uint8Array();
  let start = 0;
  let used = 0;
  let last = 0;
  let total = 0;

  const makeRoom = (bytes: number) => {
    if (used + bytes <= size) return;
    size = Math.max(2 * size, bytes, least);
    start = kernel.reserve(size + PADDING);
    view = kernel.bytes(start, size);
    used = 0;
  };
  const take = (bytes: number): number => {
    last = start + used;
    used += bytes;
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
      makeRoom(UTF8_BYTES * text.length);
      if (text.length <= SHORT && writeAscii(text, view, used)) return take(text.length);
      return take(ENCODER.encodeInto(text, used === 0 ? view : view.subarray(used)).written);
    },
    address: () => last,
  };
}
