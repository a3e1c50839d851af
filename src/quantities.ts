// Numbers for people.

const SCALES = [
  { from: 1e12, suffix: 'T' },
  { from: 1e9, suffix: 'G' },
  { from: 1e6, suffix: 'M' },
  { from: 1e3, suffix: 'k' },
];

const BYTE_SCALES = [{ from: 1e21, suffix: 'Z' }, { from: 1e18, suffix: 'E' }, { from: 1e15, suffix: 'P' }, ...SCALES];

/** 1,234,567 */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Numbers from here on have no digits after the point. */
const WHOLE = 1000;

/** 9.60, 0.00123 or 59,719: two digits after the point, or more if three significant digits need more. */
export function fixed(value: number): string {
  if (value >= WHOLE - 0.005) return count(value);
  if (value === 0) return '0';
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(3);
}

/**
 * 1,234, 5.2, 0.0055 or "less than 0.001": an expected number, with two significant digits or one digit after the
 * point.
 */
export function amount(value: number): string {
  if (value === 0) return '0';
  if (value < LEAST_AMOUNT) return `less than ${LEAST_AMOUNT}`;
  if (value < 0.95) return String(Number(value.toPrecision(2)));
  return value < 99.95 ? value.toFixed(1) : count(value);
}

const LEAST_AMOUNT = 0.001;

/** 4.0M keys/s, 1 key/s, 0.25 keys/s */
export function speed(perSecond: number, noun: string): string {
  return `${withNoun(perSecond < 10 ? significant(perSecond, 2) : shortCount(perSecond), noun)}/s`;
}

/** 60.0 MB/s, 0.25 B/s */
export function byteSpeed(perSecond: number): string {
  return perSecond < 10 ? `${significant(perSecond, 2)} B/s` : `${bytes(perSecond)}/s`;
}

/** 84,000 or 1.5: two significant digits. */
export function multiple(value: number): string {
  return value < 10 ? significant(value, 2) : count(Number(value.toPrecision(2)));
}

/** 5.2M: three significant digits. The grammar of counts can read the text. */
export function shortCount(value: number): string {
  const scale = SCALES.find(({ from }) => value >= from * 0.9995);
  return scale === undefined ? count(value) : `${significant(value / scale.from)}${scale.suffix}`;
}

/** 0.5, 20, 10k: a number at the tick of an axis. */
export function tickText(value: number): string {
  return value < WHOLE ? significant(value) : shortCount(value);
}

/** 12.0 MB: decimal units. */
export function bytes(value: number): string {
  if (value < 1000) return `${count(value)} B`;
  const scale = BYTE_SCALES.find(({ from }) => value >= from * 0.9995) ?? { from: 1e3, suffix: 'k' };
  return `${(value / scale.from).toPrecision(3)} ${scale.suffix}B`;
}

/** 1.00 %: three significant digits, without an exponent if the text is readable. */
export function rate(value: number): string {
  return ratesLike([value])(value);
}

/**
 * If a percentage is below the first limit, it has an exponent, and so do all percentages below the second limit beside
 * it.
 */
const LEAST_PLAIN = 1e-6;
const ALWAYS_PLAIN = 1e-3;

/** A format for rates that stand together. If one of them needs an exponent, all small rates have one. */
export function ratesLike(values: readonly number[]): (value: number) => string {
  // Rounded first: otherwise 0.9999 would have one digit more than 1.
  const percentOf = (value: number) => Number((value * 100).toPrecision(3));
  const needsExponent = values.map(percentOf).some((percent) => percent > 0 && percent < LEAST_PLAIN);
  return (value) => {
    const percent = percentOf(value);
    if (percent === 0) return '0 %';
    if (needsExponent && percent < ALWAYS_PLAIN) return `${percent.toExponential(2)} %`;
    if (percent >= WHOLE) return `${count(percent)} %`;
    return `${percent.toFixed(Math.max(0, 2 - Math.floor(Math.log10(percent))))} %`;
  };
}

/** 0.25 s, 12.3 s, 3 min 05 s, 0 s or "less than 0.01 s" */
export function duration(seconds: number): string {
  // Slightly shorter times would be rounded to 60.0 s.
  if (seconds >= 59.95) {
    const whole = Math.max(60, Math.floor(seconds));
    return `${count(Math.floor(whole / 60))} min ${String(whole % 60).padStart(2, '0')} s`;
  }
  if (seconds < 0.005) return seconds === 0 ? '0 s' : 'less than 0.01 s';
  return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
}

/** 1 key, 2 keys */
export function plural(value: number, noun: string): string {
  return withNoun(count(value), noun);
}

/** 1 key, about 1 key, 5.2M keys: a number as text, with its noun. */
export function withNoun(number: string, noun: string): string {
  return `${number} ${noun}${/(^| )1$/.test(number) ? '' : 's'}`;
}

/** Words for one thing, and for several. */
const SEVERAL = { is: 'are', was: 'were', has: 'have', belongs: 'belong', names: 'name', it: 'them' } as const;

/** The form of a word for this many things: 1 key is, 2 keys are. */
export function agreeing(value: number, word: keyof typeof SEVERAL): string {
  return value === 1 ? word : SEVERAL[word];
}

function significant(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}
