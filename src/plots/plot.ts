/** The content of a plot, for every form of output. */
export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  /** At most `MOST_LINES` lines. */
  readonly lines: readonly Line[];
  /** Names of the lines that are not drawn. The plot lists them. */
  readonly missing?: readonly string[];
  /** Measured points, each with its interval. */
  readonly measured?: readonly Measured[];
  /** Marks at some x, such as a capacity. */
  readonly notes?: readonly NoteAt[];
}

export interface Axis {
  readonly title: string;
  readonly isLogarithmic: boolean;
  readonly from: number;
  readonly to: number;
  text(value: number): string;
}

export interface Line {
  readonly name: string;
  /** In ascending order of x. Points beyond the axes are not drawn. */
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Measured extends Point {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

export interface NoteAt {
  readonly x: number;
  /** Empty if another note has the text. */
  readonly text: string;
}

/** The number of lines that a plot can tell apart, in characters and as SVG. */
export const MOST_LINES = 48;

/** The position of a value on an axis: 0 at `from`, 1 at `to`. */
export function shareOf({ isLogarithmic, from, to }: Axis, value: number): number {
  return isLogarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
}

/** Whether a value is between the ends of an axis. */
export function isOn({ from, to }: Axis, value: number): boolean {
  return value >= Math.min(from, to) && value <= Math.max(from, to);
}

/** Two lines look alike if they differ by less than this share of the y axis at each x. */
const SAME = 1 / 150;

/**
 * The lines of a plot with these axes. Lines that look alike become one line with all their names. Lines without a
 * point inside the axes, and lines above `MOST_LINES`, are missing.
 */
export function distinctLines(lines: readonly Line[], x: Axis, y: Axis): Pick<Plot, 'lines' | 'missing'> {
  const groups: { names: string[]; points: readonly Point[] }[] = [];
  const missing: string[] = [];
  for (const { name, points } of lines) {
    const group = groups.find((one) => isSame(one.points, points, y));
    if (!points.some((point) => isOn(x, point.x) && isOn(y, point.y))) missing.push(name);
    else if (group !== undefined) group.names.push(name);
    else if (groups.length < MOST_LINES) groups.push({ names: [name], points });
    else missing.push(name);
  }
  return { lines: groups.map(({ names, points }) => ({ name: names.join(', '), points })), missing };
}

function isSame(some: readonly Point[], others: readonly Point[], axis: Axis): boolean {
  const isNear = ({ x, y }: Point, other: Point | undefined) =>
    other?.x === x && Math.abs(shareOf(axis, y) - shareOf(axis, other.y)) < SAME;
  return some.length === others.length && some.every((point, i) => isNear(point, others[i]));
}

/**
 * About `most` round values on an axis, and at least two: powers of ten, or multiples of a round step. A few powers of
 * ten are joined by twice and five times their values.
 */
export function ticksOf(axis: Axis, most: number): number[] {
  const [low, high] = [Math.min(axis.from, axis.to), Math.max(axis.from, axis.to)];
  return axis.isLogarithmic ? powersOfTen(low, high, most) : multiples(low, high, most);
}

/** The tolerance for exponents, because 0.01 is not exactly a power of ten. */
const TOLERANCE = 1e-9;

function powersOfTen(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - TOLERANCE), Math.floor(Math.log10(high) + TOLERANCE)];
  if (last - first < 2) return oneTwoFive(first - 1, last).filter((tick) => tick >= low && tick <= high);
  const step = Math.ceil((last - first + 1) / Math.max(2, most));
  return upTo(Math.floor((last - first) / step)).map((i) => powerOfTen(first + i * step));
}

/** The nearest number to a power of ten. 10 ** -4 gives another number. */
function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}

function oneTwoFive(first: number, last: number): number[] {
  return upTo(last - first).flatMap((i) => [1, 2, 5].map((factor) => factor * powerOfTen(first + i)));
}

function multiples(low: number, high: number, most: number): number[] {
  const least = (high - low) / Math.max(1, most - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - TOLERANCE)) ?? 10);
  const first = Math.ceil(low / step - TOLERANCE);
  // The digits of the step: 0.30000000000000004 becomes 0.3.
  return upTo(Math.floor(high / step + TOLERANCE) - first).map((i) => Number(((first + i) * step).toPrecision(12)));
}

/** The numbers from 0 to `last`. */
function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, i) => i);
}
