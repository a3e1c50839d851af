// A filter of Parquet by itself: a BloomFilterHeader of parquet.thrift, and then its bits, in blocks of 8 words.

import { BloomError, damaged } from '../../errors.ts';
import type { FlatShape } from '../../filters/position-rules.ts';
import { WORDS } from '../../sizing/blocked.ts';
import type { KeyRules } from '../description.ts';
import { BLOCK_BYTES } from './sizes.ts';
import { readStruct, type ThriftValue } from './thrift.ts';

/** What makes digests of the bytes of values. */
export const RULES: KeyRules = { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false };

/** What fixes the bits of a filter of so many bytes. */
export function shapeOf(bytes: number): FlatShape {
  return { bits: 8 * bytes, k: WORDS, rule: 'split-blocks', order: 'bytes' };
}

/**
 * Reads the header that some bytes begin with: how many these are, and how many bytes of bits follow. `whose` it is, for messages.
 * Throws a `format` error for none, and for that of a filter that no split-block filter is.
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

/** Throws a `format` error for a number of bytes that are not whole blocks. */
export function requireBlocks(length: number | bigint, whose: string): void {
  if (length <= 0 || BigInt(length) % BigInt(BLOCK_BYTES) !== 0n || length > Number.MAX_SAFE_INTEGER)
    throw damaged(whose, `it has an impossible number of bytes, ${length}`);
}

/** Alternatives of a union that a later version may have. */
const LATER = Array.from({ length: 15 }, (_, i) => i + 2);

/** Sees to it that a union is its first alternative, or nothing, as some writers leave it. Throws a `format` error. */
function onlyFirst(union: ThriftValue, what: string, whose: string): void {
  const refuse = (number: number) => () => {
    const message = `${whose} has ${what} ${number}, which this bloom does not know`;
    throw new BloomError('format', message, 'use a newer bloom');
  };
  union.struct(Object.fromEntries(LATER.map((number) => [number, refuse(number)])));
}
