// Flags that say how large a filter is.

import { growingNames } from '../../filters/registry.ts';
import { K_LIMIT } from '../../sizing/bloom.ts';
import { GROWTHS } from '../../sizing/chain.ts';
import { SEGMENT_BITS_LIMIT, SMALLEST_SEGMENT_BITS } from '../../sizing/geometry.ts';
import { DEFAULT_GROWTH, DEFAULT_TIGHTENING } from '../../sizing/scalable.ts';
import {
  countBetween,
  parseBits,
  parseCount,
  parseItems,
  parsePositive,
  parseRate,
  parseShare,
  parseSize,
  Unreadable,
} from '../numbers.ts';
import { flagsOf } from './define.ts';

/** What -n also takes. */
const OF_SKETCH = ', or @FILE: those of a sketch of bloom count, at most';

/** Bits of a segment. */
function parseSegmentSize(text: string): number {
  const bits = parseSize(text);
  if (bits >= SMALLEST_SEGMENT_BITS && bits <= SEGMENT_BITS_LIMIT) return bits;
  throw new Unreadable('expected a size from 16KiB to 512KiB');
}

/** A file has it in ten thousandths. */
function parseTightening(text: string): number {
  const ratio = parseRate(text);
  if (Number.isInteger(Number((ratio * 1e4).toPrecision(12)))) return ratio;
  throw new Unreadable('expected a number between 0 and 1 with at most four digits, such as 0.85');
}

const flag = flagsOf('Size');

export const sizeFlags = {
  items: () => flag.valued('-n, --items <count>', `keys the filter is sized for${OF_SKETCH}`, parseItems),
  manyItems: () =>
    flag.repeated('-n, --items <count>', `keys the filter is sized for${OF_SKETCH}; may be repeated`, parseItems),
  fpr: () => flag.valued('-p, --fpr <rate>', 'false-positive rate it is sized for, such as 1% or 1e-3', parseRate),
  bits: () => flag.valued('-m, --bits <count>', 'size in bits', parseBits),
  memory: () => flag.valued('--memory <size>', 'size, such as 12MB, 12MiB or 96Mbit', parseSize),
  hashes: () =>
    flag.valued(
      '-k, --hashes <count>',
      `probes a key, k: 1 to ${K_LIMIT}; of kinds with slots, the bits of a fingerprint`,
      countBetween(1, K_LIMIT),
    ),
  bitsPerKey: () => flag.valued('--bits-per-key <number>', 'size in bits for each key', parsePositive),
  headroom: () => flag.valued('--headroom <share>', 'room for growth on top of the keys, such as 30%', parseShare),
  growth: () =>
    flag.valued(
      '--growth <factor>',
      `${growingNames()} (${GROWTHS.join(', ')}), RedisBloom (others too): how many times as large as the slice before a new one is (default: ${DEFAULT_GROWTH})`,
      parseCount,
    ),
  tightening: () =>
    flag.valued(
      '--tightening <ratio>',
      `${growingNames()}: rate of a new slice, as a share of that of the slice before (default: ${DEFAULT_TIGHTENING})`,
      parseTightening,
    ),
  segmentSize: () =>
    flag.valued(
      '--segment-size <size>',
      'most bytes of a segment, which is what a point query reads, from 16KiB to 512KiB (default: 512KiB)',
      parseSegmentSize,
    ),
  like: () => flag.text('--like <filter>', 'same parameters as this filter, so that the two can be merged'),
  strict: () => flag.plain('--strict', 'more keys than the capacity are an error, and nothing is written'),
  keySize: () =>
    flag.valued('--key-size <bytes>', 'bytes of a key, to compare with storing the keys (default: 64)', parseCount),
  overfill: () => flag.plain('--overfill', 'the rate when the filter gets 1 to 10 times the keys it is sized for'),
} as const;
