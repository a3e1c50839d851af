// The grammars of numbers on the command line. Each parser returns the value or throws `Unreadable` with what it
// would have taken. A blank may stand before a unit, `_` between two digits, and neither anywhere else.

/** A value that does not follow its grammar. */
export class Unreadable extends Error {}

const COUNT_UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** A count from 1 to 2^53 - 1: `10k`, `1M`, `1e6`, `1_000_000`. */
export function parseCount(text: string): number {
  const match = /^(\d+(?:_\d+)*(?:\.\d+)?(?:e\+?\d+)?)(?:\s*([kmgt]))?$/i.exec(text);
  const unit = COUNT_UNITS[match?.[2]?.toLowerCase() ?? ''] ?? 1;
  const value = Number(match?.[1]?.replaceAll('_', '')) * unit;
  // 1.1M is 1100000.0000000001 in binary; the nearest whole number is what was meant.
  const whole = Math.round(value);
  if (!(whole >= 1 && whole <= Number.MAX_SAFE_INTEGER && Math.abs(value - whole) < 1e-12 * whole)) {
    throw new Unreadable('expected a whole number from 1 to 2^53 - 1, such as 10k, 1M, 1e6 or 1_000_000');
  }
  return whole;
}

/** A whole number from 0: probes may be none. */
export function parseCountOrZero(text: string): number {
  return /^0+$/.test(text) ? 0 : parseCount(text);
}

function parseFraction(text: string): number {
  const match = /^(\d*\.?\d+(?:e[+-]?\d+)?)(?:\s*(%))?$/i.exec(text);
  return match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
}

/** Rates below this are beyond what 64-bit digests can promise. */
const SMALLEST_RATE = 1e-15;

/** A rate between 0 and 1: `1%`, `0.01`, `1e-3`. */
export function parseRate(text: string): number {
  const rate = parseFraction(text);
  if (!(rate >= SMALLEST_RATE && rate < 1)) {
    throw new Unreadable('expected a rate above 0 and below 1 (at least 1e-15), such as 1%, 0.01 or 1e-3');
  }
  return rate;
}

/** A share of at least 0: `30%`, `0.3`. */
export function parseShare(text: string): number {
  const share = parseFraction(text);
  if (!(share >= 0 && share <= 1000)) throw new Unreadable('expected a share, such as 30% or 0.3');
  return share;
}

/** A number above 0: `9.6`. */
export function parsePositive(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= 1e6)) throw new Unreadable('expected a number above 0, such as 9.6');
  return value;
}

const BINARY_PREFIXES = ['', 'k', 'm', 'g', 't'];

/** A size in bits: `12MB` (decimal), `12MiB` (binary), `96Mbit`, `1500` (bytes). */
export function parseSize(text: string): number {
  const match = /^(\d+(?:_\d+)*(?:\.\d+)?)(?:\s+(?=\S))?([kmgt]?)(i?)(b|bits?)?$/i.exec(text);
  const prefix = match?.[2]?.toLowerCase() ?? '';
  const binary = match?.[3] !== undefined && match[3] !== '';
  const unit = binary ? 1024 ** BINARY_PREFIXES.indexOf(prefix) : (COUNT_UNITS[prefix] ?? 1);
  const bitsEach = match?.[4]?.toLowerCase().startsWith('bit') ? 1 : 8;
  const bits = Math.floor(Number(match?.[1]?.replaceAll('_', '')) * unit * bitsEach);
  if (!(bits >= 1 && bits <= Number.MAX_SAFE_INTEGER) || (binary && prefix === '')) {
    throw new Unreadable('expected a size, such as 12MB (decimal), 12MiB (binary) or 96Mbit');
  }
  return bits;
}

/** An unsigned 64-bit number: `42`, `0x2a`. */
export function parseSeed(text: string): bigint | 'random' {
  if (text === 'random') return text;
  const seed = /^(\d+|0x[\da-f]+)$/i.test(text) ? BigInt(text) : -1n;
  if (seed < 0n || seed >= 2n ** 64n)
    throw new Unreadable('expected a whole number from 0 to 2^64 - 1, such as 42 or 0x2a, or random');
  return seed;
}

/** A field separator: as it stands, but `\t` is a tab. */
export function parseDelimiter(text: string): string {
  if (text === '') throw new Unreadable('expected at least one character; without -d, runs of blanks separate fields');
  return text === '\\t' ? '\t' : text;
}
