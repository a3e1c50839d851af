// Numbers in messages, as people read them.

/** 1,234,567 */
export function inDigits(value: number): string {
  return value.toLocaleString('en');
}

/** 63.2 %: a fraction, to three significant digits. */
export function inPercent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(3))} %`;
}
