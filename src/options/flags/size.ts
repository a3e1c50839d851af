// Flags that set the size of a filter.

import { growingNames } from '../../filters/registry.ts';
import { K_LIMIT } from '../../sizing/bloom.ts';
import { GROWTHS } from '../../sizing/chain.ts';
import { LINE_BITS, SEGMENT_BITS_LIMIT, SMALLEST_SEGMENT_BITS } from '../../sizing/geometry.ts';
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
import { detailed, flagsOf } from './define.ts';

/** The values of -n besides a number. */
const OF_SKETCH = '@FILE is an upper bound, from a sketch that bloom count -o wrote.';

/** Bits per segment. */
function parseSegmentSize(text: string): number {
  const bits = parseSize(text);
  // A segment is a number of lines of the cache.
  if (bits >= SMALLEST_SEGMENT_BITS && bits <= SEGMENT_BITS_LIMIT) return bits - (bits % LINE_BITS);
  throw new Unreadable('expected a size from 4KiB to 512KiB');
}

/** A file stores the ratio in ten-thousandths. */
function parseTightening(text: string): number {
  const ratio = parseRate(text);
  if (Number.isInteger(Number((ratio * 1e4).toPrecision(12)))) return ratio;
  throw new Unreadable('expected a number between 0 and 1 with at most four digits, such as 0.85');
}

const flag = flagsOf('Size');

const EXPECTED = 'set the expected number of keys';

export const sizeFlags = {
  items: () => detailed(flag.valued('-n, --items <count>', EXPECTED, parseItems), OF_SKETCH),
  manyItems: () =>
    detailed(flag.repeated('-n, --items <count>', `${EXPECTED}; may be repeated`, parseItems), OF_SKETCH),
  fpr: () => flag.valued('-p, --fpr <rate>', 'set the false-positive rate, such as 1% or 1e-3', parseRate),
  manyRates: () => flag.repeated('-p, --fpr <rate>', 'set the rate, such as 1% or 1e-3; may be repeated', parseRate),
  falsePositives: () =>
    detailed(
      flag.valued('--false-positives <count>', 'set a budget of false records instead of -p', parsePositive),
      'The budget is the expected number of false positives among the number of records that --records states, if none of their keys is a member.',
    ),
  records: () => flag.valued('--records <count>', 'state the number of records of the budget', parseCount),
  keysPerRecord: () =>
    flag.valued('--keys-per-record <number>', 'state the mean number of keys per record (default: 1)', parsePositive),
  bits: () => flag.valued('-m, --bits <count>', 'set the size in bits', parseBits),
  memory: () => flag.valued('--memory <size>', 'set the size, such as 12MB, 12MiB or 96Mbit', parseSize),
  hashes: (names = '-k, --hashes <count>') =>
    detailed(
      flag.valued(names, `set the number of hash functions, 1 to ${K_LIMIT}`, countBetween(1, K_LIMIT)),
      'Kinds with slots have fingerprints instead: for them this is the number of bits of a fingerprint.',
    ),
  bitsPerKey: () => flag.valued('--bits-per-key <number>', 'set the size in bits per key', parsePositive),
  headroom: () => flag.valued('--headroom <share>', 'add capacity for growth, such as 30%', parseShare),
  growth: () =>
    detailed(
      flag.valued('--growth <factor>', `set the growth factor of slices (default: ${DEFAULT_GROWTH})`, parseCount),
      `Filters of the kind ${growingNames()} grow by slices. Each new slice is this many times as large as the slice before: ${GROWTHS.join(', ')}. RedisBloom accepts other factors too.`,
    ),
  tightening: () =>
    detailed(
      flag.valued(
        '--tightening <ratio>',
        `set the ratio of rates of slices (default: ${DEFAULT_TIGHTENING})`,
        parseTightening,
      ),
      `Filters of the kind ${growingNames()} grow by slices. The rate of a new slice is the rate of the slice before, times this ratio.`,
    ),
  segmentSize: () =>
    detailed(
      flag.valued('--segment-size <size>', 'set the largest segment (default: 512KiB)', parseSegmentSize),
      'A point query reads one segment. The size is from 4KiB to 512KiB.',
    ),
  like: () =>
    detailed(flag.text('--like <filter>', 'copy the parameters of this filter'), 'The two filters can then be merged.'),
  strict: () =>
    detailed(flag.plain('--strict', 'fail if there are more keys than the capacity'), 'Nothing is written then.'),
  keySize: () => flag.valued('--key-size <bytes>', 'compare with storing keys of this size (default: 64)', parseCount),
  overfill: () => flag.plain('--overfill', 'show the rate at 1 to 10 times the expected keys'),
} as const;
