// The filters of BIP37, after CBloomFilter of Bitcoin Core: https://github.com/bitcoin/bips/blob/master/bip-0037.mediawiki.

import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const TRAILER_BYTES = 9;

interface Parameters {
  readonly bytes: number;
  readonly k: number;
  readonly tweak: number;
  readonly flags: number;
}

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

/** `MurmurHash3` with 32 bits, byte by byte. */
export function murmur3x32(key: Uint8Array, seed: number): number {
  let h = seed | 0;
  const wordAt = (at: number) => key.subarray(at, at + 4).reduceRight((word, byte) => (word << 8) | byte, 0);
  const scrambled = (word: number) => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  let at = 0;
  for (; at + 4 <= key.length; at += 4) h = (Math.imul(rotate(h ^ scrambled(wordAt(at)), 13), 5) + 0xe6546b64) | 0;
  h ^= scrambled(wordAt(at)) ^ key.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function filterOf({ bytes, k, tweak, flags }: Parameters, isHex = false, bits?: Uint8Array): ForeignFilter {
  const positions = (key: Uint8Array) =>
    Array.from({ length: k }, (_, i) => murmur3x32(key, (Math.imul(i, 0xfba4c795) + tweak) | 0) % (8 * bytes));
  const encode = (all: Uint8Array) => {
    const count = bytes < 253 ? [bytes] : [253, bytes & 0xff, bytes >> 8];
    const trailer = new DataView(new ArrayBuffer(TRAILER_BYTES));
    trailer.setUint32(0, k, true);
    trailer.setUint32(4, tweak, true);
    trailer.setUint8(8, flags);
    const message = Buffer.from([...count, ...all.subarray(0, bytes), ...new Uint8Array(trailer.buffer)]);
    return new Uint8Array(isHex ? Buffer.from(`${message.toString('hex')}\n`) : message);
  };
  return bitArrayFilter({ bits: 8 * bytes, k, order: 'bytes', positions, encode }, bits);
}

const vessel =
  (bytes: number, k: number, keys: number, tweak = 0, isHex = false) =>
  () => ({ filter: filterOf({ bytes, k, tweak, flags: 1 }, isHex), keys });

export const bip37: System = {
  decode(file) {
    const text = Buffer.from(file).toString('latin1').trim();
    const isHex = /^[0-9a-f]+$/.test(text);
    const message = isHex ? new Uint8Array(Buffer.from(text, 'hex')) : file;
    const [first = 0, low = 0, high = 0] = message;
    const [bytes, at] = first < 253 ? [first, 1] : [low + 256 * high, 3];
    const trailer = new DataView(message.buffer, message.byteOffset + at + bytes, TRAILER_BYTES);
    const parameters = {
      bytes,
      k: trailer.getUint32(0, true),
      tweak: trailer.getUint32(4, true),
      flags: trailer.getUint8(8),
    };
    return filterOf(parameters, isHex, message.subarray(at, at + bytes));
  },
  vessels: {
    'many bytes': vessel(300, 7, 250),
    'most bytes': vessel(36_000, 10, 18_000, 2 ** 32 - 1),
    'few bytes': vessel(252, 5, 200, 0x12345678),
    hexadecimal: vessel(239, 6, 200, 5, true),
    'k = 50': vessel(9001, 50, 800, 99),
    'one byte': vessel(1, 1, 3),
  },
  makes: {
    // `CBloomFilter`.
    bip37(items, fpr) {
      const bits = Math.trunc((-1 / 0.4804530139182014) * items * Math.log(fpr));
      const bytes = Math.trunc(Math.min(bits, 36_000 * 8) / 8);
      return filterOf({ bytes, k: Math.min(50, Math.trunc(((8 * bytes) / items) * Math.LN2)), tweak: 0, flags: 0 });
    },
  },
  spoils: {
    'k = 0': (file) => file.setUint32(file.byteLength - TRAILER_BYTES, 0, true),
    'k = 51': (file) => file.setUint32(file.byteLength - TRAILER_BYTES, 51, true),
    'flags = 4': (file) => file.setUint8(file.byteLength - 1, 4),
    'a byte more': (file) => file.setUint16(1, 301, true),
    'a byte less': (file) => file.setUint16(1, 299, true),
    'no bytes': (file) => file.setUint8(0, 0),
    'a number of 4 bytes': (file) => file.setUint8(0, 254),
  },
  mayHaveMore: false,
  isToldByEnd: true,
};
