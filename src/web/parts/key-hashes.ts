// Filters whose keys are digests in hexadecimal (--key-hash): SHA-1 and SHA-256 after FIPS 180-4, and MD5 after RFC 1321. A page without
// https has no WebCrypto, and WebCrypto has no MD5.

import type { WebPart } from '../filter.ts';

const BLOCK = 64;

const left = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** The first 32 bits of the fraction of a number. */
const fraction = (number: number): number => Math.floor((number % 1) * 2 ** 32) | 0;

const PRIMES = Array.from({ length: 311 }, (_, i) => i + 1).filter(
  (n) => n > 1 && !Array.from({ length: n - 2 }, (_, i) => i + 2).some((divisor) => n % divisor === 0),
);

/** Starts of the hashes that work on 32-bit words with a rotation. */
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/** The next state, from the state and the 16 words of a block. */
type Compress = (state: readonly number[], words: number[]) => readonly number[];

const md5: Compress = (state, words) => {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let i = 0; i < 64; i++) {
    const round = i >> 4;
    const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round] ?? 0;
    const word = words[(([1, 5, 3, 7][round] ?? 0) * i + ([0, 1, 5, 0][round] ?? 0)) & 15] ?? 0;
    const by = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21][4 * round + (i & 3)] ?? 0;
    const sum = (a + mixed + word + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32)) | 0;
    [a, b, c, d] = [d, (b + left(sum, by)) | 0, b, c];
  }
  return [a, b, c, d];
};

const sha1: Compress = (state, words) => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  const word = (i: number) => words[i] ?? 0;
  for (let i = 0; i < 80; i++) {
    if (i > 15) words.push(left(word(i - 3) ^ word(i - 8) ^ word(i - 14) ^ word(i - 16), 1));
    const round = Math.floor(i / 20);
    const mixed = [(b & c) | (~b & d), b ^ c ^ d, (b & c) | (b & d) | (c & d), b ^ c ^ d][round] ?? 0;
    const sum = (left(a, 5) + mixed + e + word(i) + Math.floor(Math.sqrt([2, 3, 5, 10][round] ?? 0) * 2 ** 30)) | 0;
    [a, b, c, d, e] = [sum, a, left(b, 30), c, d];
  }
  return [a, b, c, d, e];
};

const sha256: Compress = (state, words) => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  const word = (i: number) => words[i] ?? 0;
  for (const [i, prime] of PRIMES.entries()) {
    if (i > 15) {
      const [x, y] = [word(i - 15), word(i - 2)];
      const first = left(x, 25) ^ left(x, 14) ^ (x >>> 3);
      words.push((word(i - 16) + first + word(i - 7) + (left(y, 15) ^ left(y, 13) ^ (y >>> 10))) | 0);
    }
    const first =
      h + (left(e, 26) ^ left(e, 21) ^ left(e, 7)) + ((e & f) ^ (~e & g)) + fraction(Math.cbrt(prime)) + word(i);
    const second = (left(a, 30) ^ left(a, 19) ^ left(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h];
};

const MD5 = { compress: md5, start: START.slice(0, 4), isLittle: true };
const SHA1 = { compress: sha1, start: START, isLittle: false };
const SHA256 = {
  compress: sha256,
  start: PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
  isLittle: false,
};

/** Looks up keys in filters of digests. */
export const keyHashes: WebPart = {
  keyHashes(key, keyHash) {
    const { compress, start, isLittle } = keyHash.startsWith('md5') ? MD5 : keyHash.startsWith('sha1') ? SHA1 : SHA256;
    const bytes = new Uint8Array(Math.ceil((key.length + 9) / BLOCK) * BLOCK);
    const view = new DataView(bytes.buffer);
    bytes.set(key);
    bytes[key.length] = 0x80;
    view.setBigUint64(bytes.length - 8, BigInt(8 * key.length), isLittle);
    let state: readonly number[] = start;
    for (let at = 0; at < bytes.length; at += BLOCK) {
      const words = Array.from({ length: 16 }, (_, i) => view.getInt32(at + 4 * i, isLittle));
      state = compress(state, words).map((word, i) => (word + (state[i] ?? 0)) | 0);
    }
    const digest = new DataView(new ArrayBuffer(4 * state.length));
    for (const [i, word] of state.entries()) digest.setInt32(4 * i, word, isLittle);
    const digits = Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return new TextEncoder().encode(keyHash.endsWith('upper') ? digits.toUpperCase() : digits);
  },
};
