// A single filter of Parquet: a BloomFilterHeader of parquet.thrift, and then its bits, in blocks of 8 words.

import { BloomError, damaged } from '../../errors.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { WORDS } from '../../sizing/blocked.ts';
import type { KeyRules } from '../description.ts';
import { BLOCK_BYTES } from './sizes.ts';
import { readStruct, type ThriftValue } from './thrift.ts';

/** How the bytes of values become digests. */
export const RULES: KeyRules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false };

/** The shape of a filter of this many bytes. */
export function shapeOf(bytes: number): BitArrayShape {
  return { bits: 8 * bytes, k: WORDS, rule: 'split-blocks', order: 'bytes' };
}

/**
 * Reads the header at the start of some bytes: its length, and the length of the bits after it. `whose` names it in
 * messages. Throws a `format` error if it is malformed or does not belong to a split-block filter.
 */
export function readHeader(
  bytes: Uint8Array,
  whose: string,
): { readonly headerBytes: number; readonly length: number } {
  let length = 0n;
  const headerBytes = readStruct(bytes, whose, {
    1: (value) => {
      length = value.int();
    },
    2: (value) => onlyFirst(value, 'algorithm', whose),
    3: (value) => onlyFirst(value, 'hash', whose),
    4: (value) => onlyFirst(value, 'compression', whose),
  });
  requireBlocks(length, whose);
  return { headerBytes, length: Number(length) };
}

/** Throws a `format` error if the bytes are not whole blocks. */
export function requireBlocks(length: number | bigint, whose: string): void {
  if (length <= 0 || BigInt(length) % BigInt(BLOCK_BYTES) !== 0n || length > Number.MAX_SAFE_INTEGER)
    throw damaged(whose, `it has an impossible number of bytes, ${length}`);
}

/** Alternatives of a union that a later version may define. */
const LATER = Array.from({ length: 15 }, (_, i) => i + 2);

/** Requires that a union has its first alternative, or none, as some writers leave it. Throws a `format` error. */
function onlyFirst(union: ThriftValue, what: string, whose: string): void {
  const refuse = (number: number) => () => {
    const message = `${whose} has ${what} ${number}, which this bloom does not know`;
    throw new BloomError('format', message, 'use a newer bloom');
  };
  union.struct(Object.fromEntries(LATER.map((number) => [number, refuse(number)])));
}
