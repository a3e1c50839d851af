// The filters of pyprobables, after its bloom.py and hashes.py, for versions before 0.5 and from 0.5 on.

import { bitArrayFilter } from './bit-array-filter.ts';
import type { ForeignFilter, System } from './system.ts';

const WORD = 2n ** 64n;
const FOOTER_BYTES = 20;

type Hash = (values: Iterable<number>, count: number) => bigint[];

/** `fnv_1a` of the values of Python's `ord`, or of bytes. */
function fnv1a(values: Iterable<number>, offset: bigint): bigint {
  let hash = offset % WORD;
  for (const value of values) hash = ((hash ^ BigInt(value)) * 1099511628211n) % WORD;
  return hash;
}

const seeded: Hash = (values, count) =>
  Array.from({ length: count }, (_, i) => fnv1a(values, 14695981039346656037n + 31n * BigInt(i)));

const chained: Hash = (values, count) => {
  const hashes = [fnv1a(values, 14695981039346656073n)];
  while (hashes.length < count)
    hashes.push(fnv1a(Buffer.from((hashes.at(-1) ?? 0n).toString(16)), 14695981039346656073n));
  return hashes;
};

const HASHES: Readonly<Record<string, Hash>> = { 'pyprobables-0.5': seeded, 'pyprobables-0.4': chained };

/** `ord` of each character of a string. */
const characters = (key: Uint8Array) =>
  Array.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(key), (c) => c.codePointAt(0) ?? 0);

interface Parameters {
  readonly items: number;
  readonly fpr: number;
}

function filterOf({ items, fpr }: Parameters, variant: string, isHex: boolean, stored?: Uint8Array): ForeignFilter {
  const rate = Math.fround(fpr);
  const bits = Math.ceil((-items * Math.log(rate)) / 0.4804530139182);
  const k = Math.round((Math.LN2 * bits) / items);
  const positions = (key: Uint8Array) =>
    (HASHES[variant] ?? seeded)(characters(key), k).map((hash) => Number(hash % BigInt(bits)));
  const encode = (all: Uint8Array, added: number) => {
    const footer = new DataView(new ArrayBuffer(FOOTER_BYTES));
    footer.setBigUint64(0, BigInt(items), !isHex);
    footer.setBigUint64(8, BigInt(added), !isHex);
    footer.setFloat32(16, rate, !isHex);
    const file = Buffer.concat([all.subarray(0, Math.ceil(bits / 8)), new Uint8Array(footer.buffer)]);
    return new Uint8Array(isHex ? Buffer.from(file.toString('hex')) : file);
  };
  return bitArrayFilter({ bits, k, order: 'bytes', positions, encode }, stored);
}

const vessel =
  (items: number, fpr: number, variant = 'pyprobables-0.5', isHex = false) =>
  () => ({ filter: filterOf({ items, fpr }, variant, isHex), keys: items, variant });

export const pyprobables: System = {
  decode(file, variant = '') {
    const text = Buffer.from(file).toString('latin1');
    const isHex = /^[0-9a-f]+$/.test(text);
    const bytes = isHex ? new Uint8Array(Buffer.from(text, 'hex')) : file;
    const footer = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - FOOTER_BYTES);
    const parameters = { items: Number(footer.getBigUint64(0, !isHex)), fpr: footer.getFloat32(16, !isHex) };
    return filterOf(parameters, variant, isHex, bytes.subarray(0, -FOOTER_BYTES));
  },
  vessels: {
    'one hash each': vessel(200, 0.01),
    'many bits': vessel(9000, 0.002),
    hexadecimal: vessel(300, 0.05, 'pyprobables-0.5', true),
    'hashes of hashes': vessel(500, 0.001, 'pyprobables-0.4'),
    'k = 1': vessel(60, 0.4, 'pyprobables-0.4', true),
  },
  spoils: {
    'n = 0': (file) => file.setBigUint64(file.byteLength - 20, 0n, true),
    'another n': (file) => file.setBigUint64(file.byteLength - 20, 205n, true),
    'p = 0': (file) => file.setFloat32(file.byteLength - 4, 0, true),
    'p = 1': (file) => file.setFloat32(file.byteLength - 4, 1, true),
    'p below 0': (file) => file.setFloat32(file.byteLength - 4, -0.01, true),
    'no number as p': (file) => file.setFloat32(file.byteLength - 4, Number.NaN, true),
    'far too many keys': (file) => file.setBigUint64(file.byteLength - 20, 2n ** 64n - 1n, true),
  },
  mayHaveMore: false,
  isToldByEnd: true,
};
