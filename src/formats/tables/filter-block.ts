// What a filter of RocksDB is: its bits, and five bytes that say how keys find theirs.

import { BloomError, damaged } from '../../errors.ts';
import type { RangedPart } from '../../filters/kind.ts';
import type { PositionRuleName } from '../../filters/position-rules.ts';
import type { HashName } from '../../hashes/registry.ts';
import { STEPS } from '../../sizing/steps.ts';

export const METADATA_BYTES = 5;

/** The sort of a filter, and all that is needed of it but for where its bits are. */
export interface FilterBlock extends Omit<RangedPart, 'first'> {
  readonly hash: HashName;
  readonly rule: PositionRuleName;
}

/** The first byte of what follows the bits, as a signed number; from 1 on it is k of an older filter. */
const SORTS = { local: -1, ribbon: -2 };

/** More probes are given to no older filter. */
const LEGACY_K_LIMIT = 30;

/** Bytes that the lines of caches have. */
const CACHE_LINES = [64, 128, 256];

/** Bits of a line, and what its length in bytes is named by: 2^6 by 0. */
const LINE_SHIFT = 6;

/**
 * The filter of a block of so many bytes, by its last five; undefined if it has no bits, which is that of no key. Throws a
 * `format` error for sorts that cannot be asked, and what can be none.
 */
export function filterBlockOf(metadata: DataView, length: number, name: string): FilterBlock | undefined {
  if (length <= METADATA_BYTES) return undefined;
  const bytes = length - METADATA_BYTES;
  const sort = metadata.getInt8(0);
  if (sort === SORTS.ribbon)
    throw new BloomError('format', `${name} is a Ribbon filter of RocksDB, which this bloom cannot ask`, ASK_INSTEAD);
  if (sort > 0) return legacyFilter(sort, bytes, metadata.getUint32(1, true), name);
  const [k, lines] = [metadata.getUint8(2) & 31, metadata.getUint8(2) >> 5];
  if (sort !== SORTS.local || metadata.getUint8(1) !== 0 || lines !== 0)
    throw new BloomError(
      'format',
      `${name} is a filter of a sort that this bloom does not know (${sort}, ${metadata.getUint8(1)}, ${lines})`,
      ASK_INSTEAD,
    );
  if (k === 0 || bytes % 2 ** LINE_SHIFT !== 0) throw damaged(name, `it cannot have ${bytes} bytes and ${k} hashes`);
  return { bits: 8 * bytes, k, lineBits: 8 * 2 ** LINE_SHIFT, hash: 'xxph3', rule: 'local-bloom' };
}

const ASK_INSTEAD = 'ask RocksDB itself, or write the table with a Bloom filter';

/** A filter of format versions up to 4: k, and how many lines there are, which are as long as those of a cache. */
function legacyFilter(k: number, bytes: number, lines: number, name: string): FilterBlock {
  const lineBytes = bytes / lines;
  if (lines === 0 || !Number.isInteger(Math.log2(lineBytes)) || lineBytes < 1)
    throw damaged(name, `it has ${lines} lines in ${bytes} bytes`);
  return {
    bits: 8 * bytes,
    k,
    lineBits: 8 * lineBytes,
    steps: STEPS['rocksdb-legacy'],
    hash: 'rocksdb',
    rule: 'rocksdb-legacy',
  };
}

/** Whether a file may be such a block alone. */
export function isFilterBlock(metadata: DataView, size: number): boolean {
  const bytes = size - METADATA_BYTES;
  const [sort, lines] = [metadata.getInt8(0), metadata.getUint32(1, true)];
  if (bytes < 2 ** LINE_SHIFT || bytes % 2 ** LINE_SHIFT !== 0) return false;
  if (sort === SORTS.local) return metadata.getUint8(2) > 0 && metadata.getUint8(2) < 32 && (lines & 0xffff00ff) === 0;
  // Of lines there is an odd number, so that they have as many bytes as these.
  return sort > 0 && sort <= LEGACY_K_LIMIT && lines % 2 === 1 && CACHE_LINES.includes(bytes / lines);
}
