// A filter of RocksDB: its bits, and five bytes that say how keys are tested.

import { BloomError, damaged } from '../../errors.ts';
import type { RangedPart } from '../../filters/kind.ts';
import type { PositionRuleName } from '../../filters/position-rules.ts';
import type { HashName } from '../../hashes/registry.ts';
import { STEPS } from '../../sizing/steps.ts';

export const METADATA_BYTES = 5;

/** The type of a filter and its parameters, without the position of its bits. */
export interface FilterBlock extends Omit<RangedPart, 'first'> {
  readonly hash: HashName;
  readonly rule: PositionRuleName;
}

/** The first byte after the bits as a signed number. From 1 on, it is k of an older filter. */
const SORTS = { local: -1, ribbon: -2 };

/** The largest k of an older filter. */
const LEGACY_K_LIMIT = 30;

/** Bytes of cache lines. */
const CACHE_LINES = [64, 128, 256];

/** The size of a line in bits is stored as the logarithm of its bytes over 2^6. */
const LINE_SHIFT = 6;

/**
 * The filter of a block of this length, by its last five bytes. Undefined if it has no bits, as a filter without
 * keys. Throws a `format` error for unsupported and impossible filters.
 */
export function filterBlockOf(metadata: DataView, length: number, name: string): FilterBlock | undefined {
  if (length <= METADATA_BYTES) return undefined;
  const bytes = length - METADATA_BYTES;
  const sort = metadata.getInt8(0);
  if (sort === SORTS.ribbon)
    throw new BloomError('format', `${name} is a Ribbon filter of RocksDB, which bloom cannot query`, ALTERNATIVE);
  if (sort > 0) return legacyFilter(sort, bytes, metadata.getUint32(1, true), name);
  const [k, lines] = [metadata.getUint8(2) & 31, metadata.getUint8(2) >> 5];
  if (sort !== SORTS.local || metadata.getUint8(1) !== 0 || lines !== 0)
    throw new BloomError(
      'format',
      `${name} is a RocksDB filter of an unknown type (${sort}, ${metadata.getUint8(1)}, ${lines})`,
      ALTERNATIVE,
    );
  if (k === 0 || bytes % 2 ** LINE_SHIFT !== 0)
    throw damaged(name, `it cannot have ${bytes} bytes and ${k} hash functions`);
  return { bits: 8 * bytes, k, lineBits: 8 * 2 ** LINE_SHIFT, hash: 'xxph3', rule: 'local-bloom' };
}

const ALTERNATIVE = 'query it with RocksDB, or write the table with a Bloom filter';

/** A filter of format versions up to 4: k, and the number of its lines, which have the size of cache lines. */
function legacyFilter(k: number, bytes: number, lines: number, name: string): FilterBlock {
  const lineBytes = bytes / lines;
  if (lines === 0 || !Number.isInteger(Math.log2(lineBytes)) || lineBytes < 1)
    throw damaged(name, `it states ${lines} lines, which do not fit its ${bytes} bytes`);
  return {
    bits: 8 * bytes,
    k,
    lineBits: 8 * lineBytes,
    steps: STEPS['rocksdb-legacy'],
    hash: 'rocksdb',
    rule: 'rocksdb-legacy',
  };
}

/** Whether a file may be such a block by itself. */
export function isFilterBlock(metadata: DataView, size: number): boolean {
  const bytes = size - METADATA_BYTES;
  const [sort, lines] = [metadata.getInt8(0), metadata.getUint32(1, true)];
  if (bytes < 2 ** LINE_SHIFT || bytes % 2 ** LINE_SHIFT !== 0) return false;
  if (sort === SORTS.local) return metadata.getUint8(2) > 0 && metadata.getUint8(2) < 32 && (lines & 0xffff00ff) === 0;
  // The number of lines is odd, so these sizes are the only possible ones.
  return sort > 0 && sort <= LEGACY_K_LIMIT && lines % 2 === 1 && CACHE_LINES.includes(bytes / lines);
}
