// The filters of marcan's bloom.py: https://github.com/hannob/pwbloom/blob/master/bloom.py.

import { createHash } from 'node:crypto';
import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const ALIGN = 16_384;

interface Parameters {
  readonly m: number;
  readonly k: number;
}

const thresholdOf = (m: number) => 2 ** 16 * 2 ** Math.ceil(Math.log2(m));

/** `BloomFilter.hash`. */
export function hashes(key: Uint8Array, { m, k }: Parameters, threshold = thresholdOf(m)): number[] {
  let capacity = 0n;
  let val = 0n;
  let s = key;
  return Array.from({ length: k }, () => {
    if (capacity < BigInt(threshold)) {
      s = createHash('md5').update(s).digest();
      val = s.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
      capacity = 1n << 128n;
    }
    const h = val % BigInt(m);
    val /= BigInt(m);
    capacity /= BigInt(m);
    return Number(h);
  });
}

function filterOf({ m, k }: Parameters, bits?: Uint8Array): ForeignFilter {
  const size = Math.ceil(Math.ceil(m / 8) / ALIGN) * ALIGN;
  const encode = (all: Uint8Array) => {
    const line = JSON.stringify({ m, k, offset: ALIGN, size, threshold: thresholdOf(m) });
    const bytes = new Uint8Array(ALIGN + size);
    bytes.set(Buffer.from(`${line.replaceAll(':', ': ').replaceAll(',', ', ')}\n`));
    bytes.set(all, ALIGN);
    return bytes;
  };
  const positions = (key: Uint8Array) => hashes(key, { m, k });
  return bitArrayFilter({ bits: m, k, order: 'bytes', positions, encode }, bits);
}

const vessel = (m: number, k: number, keys: number) => () => ({ filter: filterOf({ m, k }), keys });

/** Overwrites the digits of a name in the first line. */
const withNumber = (name: string, digits: string) => (file: DataView) => {
  const bytes = new Uint8Array(file.buffer, file.byteOffset, 200);
  const line = Buffer.from(bytes).toString('latin1');
  const at = line.indexOf(`"${name}": `) + name.length + 4;
  const end = line.slice(at).search(/[,}]/);
  bytes.set(Buffer.from(digits.padStart(end)), at);
};

export const marcan: System = {
  decode(file) {
    const { m, k, offset, size } = JSON.parse(
      Buffer.from(file.subarray(0, 200)).toString('latin1').split('\n')[0] ?? '',
    );
    return filterOf({ m, k }, file.subarray(offset, offset + Math.min(size, 8 * Math.ceil(m / 64))));
  },
  vessels: {
    'few bits': vessel(1917, 7, 200),
    'more hashes than MD5 has': vessel(76_681, 9, 6000),
    'one bit': vessel(1, 3, 0),
    'k = 100': vessel(200_003, 100, 800),
    'a power of 2': vessel(2 ** 17, 16, 5000),
  },
  makes: {
    // The formula of the calculator to which bloom.py refers: https://krisives.github.io/bloom-calculator.
    marcan(items, fpr) {
      const m = Math.ceil((items * Math.log(fpr)) / Math.log(1 / 2 ** Math.log(2)));
      return filterOf({ m, k: Math.round(Math.log(2) * (m / items)) });
    },
  },
  spoils: {
    'k = 0': withNumber('k', '0'),
    'm = 0': withNumber('m', '0'),
    'a size that is too small': withNumber('size', '9'),
    'another size': withNumber('size', '16385'),
    'an offset within the line': withNumber('offset', '80'),
    'another offset': withNumber('offset', '16383'),
    'no threshold': withNumber('threshold', '""'),
  },
  mayHaveMore: false,
};
