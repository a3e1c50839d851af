// The filters of npm's bloom-filters 3, after its hashing.ts and bit-set.ts.

import { xxh64 } from '../xxh64.ts';
import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

interface Parameters {
  readonly size: number;
  readonly hashes: number;
  readonly seed: number;
}

const DEFAULT_SEED = 0x1234567890;

function filterOf({ size, hashes, seed }: Parameters, stored?: Uint8Array): ForeignFilter {
  const hash = (key: Uint8Array, seed: number) => xxh64(key, BigInt(seed || DEFAULT_SEED) & 0xffffffffn) & 0xffffffffn;
  const positions = (key: Uint8Array) =>
    Array.from({ length: hashes }, (_, i) => {
      const more = (i ** 3 - i) / 6;
      return Number((hash(key, seed + 1) + BigInt(i) * hash(key, seed + 2) + BigInt(more)) % BigInt(size));
    });
  const encode = (all: Uint8Array) => {
    const bytes = Math.ceil(size / 8);
    const filter = { size: 8 * bytes, content: Buffer.from(all.subarray(0, bytes)).toString('base64') };
    const json = { type: 'BloomFilter', _size: size, _nbHashes: hashes, _filter: filter, _seed: seed };
    return new Uint8Array(Buffer.from(JSON.stringify(json)));
  };
  return bitArrayFilter({ bits: size, k: hashes, order: 'bytes', positions, encode }, stored);
}

const vessel =
  (size: number, hashes: number, keys: number, seed = DEFAULT_SEED) =>
  () => ({ filter: filterOf({ size, hashes, seed }), keys });

/** Overwrites the text at the place where `before` begins. */
const over = (before: string, after: string) => (file: DataView) => {
  const text = Buffer.from(file.buffer);
  text.write(after, text.indexOf(before));
};

export const npmBloomFilters: System = {
  decode(file) {
    const { _size, _nbHashes, _filter, _seed } = JSON.parse(Buffer.from(file).toString());
    const bits = new Uint8Array(Buffer.from(_filter.content, 'base64'));
    return filterOf({ size: _size, hashes: _nbHashes, seed: _seed }, bits);
  },
  vessels: {
    'the usual seed': vessel(20_011, 7, 2000),
    'many bits': vessel(150_001, 5, 12_000, 3),
    'the seed before 0': vessel(2999, 3, 300, -1),
    'one hash': vessel(4096, 1, 300, 12_345),
  },
  spoils: {
    'no bits': over('"_size":20011', '"_size":    0'),
    'more bits than it has': over('"_size":20011', '"_size":99999'),
    'no hashes': over('"_nbHashes":7', '"_nbHashes":0'),
    'a seed that is no number': over('"_seed":7818', '"_seed":"818'),
    'a letter that is none of base64': over('"content":"', '"content":"*'),
    'another type': over('"type":"BloomFilter"', '"type": "XorFilter" '),
    'no type that is known': over('"type":"BloomFilter"', '"type":"BlindFilter"'),
  },
  mayHaveMore: false,
};
