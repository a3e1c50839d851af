import { equalDigestRate } from '../equal-digests.ts';
import { steppedRate } from '../stepped.ts';
import { STEPS, type Steps } from '../steps.ts';
import { allocated, type SystemSizing } from './system.ts';

const LINE_BITS = 512;
const METADATA_BYTES = 5;

/** Entry i: the most thousandths of a bit per key for i + 1 probes, after `FastLocalBloomImpl::ChooseNumProbes`. */
const PROBES_UP_TO = [2080, 3580, 5100, 6640, 8300, 10070, 11720, 14001, 16050, 18300, 22001, 25501] as const;

function probesFor(millibits: number): number {
  const found = PROBES_UP_TO.findIndex((most) => millibits <= most);
  if (found >= 0) return found + 1;
  return millibits > 50_000 ? 24 : Math.trunc((millibits - 1) / 2000) - 1;
}

/** The most bits per key that RocksDB uses, and the fewest with which it makes a filter. */
const MOST_BITS_PER_KEY = 100;
const LEAST_BITS_PER_KEY = 0.5;

/** The filter of a table from `format_version` 5 on. A key has all its bits in one line of 64 bytes. */
export const ROCKSDB_SIZING: SystemSizing = {
  name: 'rocksdb',
  system: 'RocksDB',
  accepts: ['items', 'bitsPerKey'],
  plan({ items, bitsPerKey }) {
    if (items === undefined || bitsPerKey === undefined) return undefined;
    const effective = Math.max(1, Math.min(MOST_BITS_PER_KEY, bitsPerKey));
    const millibits = bitsPerKey < LEAST_BITS_PER_KEY ? 0 : Math.trunc(effective * 1000 + 0.500001);
    const lines = Math.ceil(Math.ceil((items * millibits) / 8000) / 64);
    const k = probesFor(millibits);
    const rateWith = (keys: number) => lineRate(keys, lines, LINE_BITS, k);
    const fileBytes = 64 * lines + METADATA_BYTES;
    return allocated(this.system, {
      items,
      bits: LINE_BITS * lines,
      k,
      fileBytes,
      parts: lines,
      kind: 'blocked',
      rateWith,
    });
  },
};

/** The same filter up to `format_version` 4: an odd number of lines, and k = 0.69 times the bits per key. */
export const ROCKSDB_LEGACY_SIZING: SystemSizing = {
  name: 'rocksdb-legacy',
  system: 'RocksDB',
  accepts: ['items', 'bitsPerKey'],
  plan({ items, bitsPerKey }) {
    if (items === undefined || bitsPerKey === undefined) return undefined;
    const whole = Math.round(bitsPerKey);
    const needed = Math.ceil((items * whole) / LINE_BITS);
    const lines = needed % 2 === 0 ? needed + 1 : needed;
    const k = Math.min(30, Math.max(1, Math.trunc(whole * 0.69)));
    const steps = STEPS['rocksdb-legacy'];
    const rateWith = (keys: number) =>
      Math.min(1, lineRate(keys, lines, LINE_BITS, k, steps) + equalDigestRate(keys, steps.hashBits));
    const fileBytes = 64 * lines + METADATA_BYTES;
    return allocated(this.system, {
      items,
      bits: LINE_BITS * lines,
      k,
      fileBytes,
      parts: lines,
      kind: 'blocked',
      rateWith,
    });
  },
};

/** The sum ends at a term below this share of it. */
const NEGLIGIBLE = 1e-17;

/** Above this number of keys per line, almost surely all bits of the line are set. */
const FULL_LOAD = 2000;

/**
 * The expected rate of n keys in lines of `bits` bits. A key has its k bits in one line (Putze, Sanders & Singler
 * 2007). The rate is the sum over i of P(a line has i keys) (1 - (1 - 1/bits)^(k i))^k. The number of keys in a line is
 * binomial with n and 1/lines. If the positions are steps, `steppedRate` gives the rate of i keys.
 */
export function lineRate(items: number, lines: number, bits: number, k: number, steps?: Steps): number {
  const rateOf = (keys: number) =>
    steps === undefined ? (-Math.expm1(k * keys * Math.log1p(-1 / bits))) ** k : steppedRate(keys, bits, k, steps);
  const load = items / lines;
  if (lines <= 1 || load > FULL_LOAD) return rateOf(load);
  let chance = Math.exp(items * Math.log1p(-1 / lines));
  let sum = 0;
  for (let keys = 0; keys <= items; keys++) {
    const term = chance * rateOf(keys);
    sum += term;
    if (keys > load && term < NEGLIGIBLE * sum) break;
    chance *= (items - keys) / (keys + 1) / (lines - 1);
  }
  return Math.min(1, sum);
}
