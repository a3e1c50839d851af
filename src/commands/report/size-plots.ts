import { BloomError } from '../../errors.ts';
import { type Axis, distinctLines, type Line, type Plot, type Point } from '../../plots/plot.ts';
import { rate, ratesLike, shortCount, tickText, withNoun } from '../../quantities.ts';
import type { Sized } from '../size-rows.ts';
import type { Row } from './row.ts';

/** How far a plot extends beyond the capacity and below it. */
const PAST = 10;
const POINTS = 100;

/** The rates of the plot of sizes, and the keys if none are stated. */
const RATES = { from: 0.1, to: 1e-5 };
const DEFAULT_ITEMS = 1e6;

/** How far the plot extends below the target rate. */
const BELOW = 10;

/** The rate of overfull filters, and the cost of a rate. */
export function sizePlots(rows: readonly Row[], sized: Sized, isSolved: boolean): Plot[] {
  return [...(isSolved ? [pastCapacity(rows)] : []), ...bitsOverRate(sized)];
}

function pastCapacity(rows: readonly Row[]): Plot {
  const capacities = [...new Set(rows.map(({ plan }) => plan.items))].sort((a, b) => a - b);
  const [from, to] = [(capacities[0] ?? 1) / PAST, (capacities.at(-1) ?? 1) * PAST];
  const lowest = Math.min(...rows.map(({ plan }) => plan.fpr));
  const x: Axis = { title: 'keys', isLogarithmic: true, from, to, text: tickText };
  const y: Axis = {
    title: 'rate of false positives',
    isLogarithmic: true,
    from: lowest / BELOW,
    to: 1,
    text: ratesLike([lowest / BELOW]),
  };
  const lines = rows.map((row) => ({
    name: nameAmong(rows, row),
    points: sampled(from, to, (keys) => row.rateWith(Math.round(keys))),
  }));
  const text = capacities.length === 1 ? 'capacity' : 'capacities';
  return {
    title: 'The rate past the capacity',
    x,
    y,
    ...distinctLines(lines, x, y),
    notes: capacities.map((items, i) => ({ x: items, text: i === 0 ? text : '' })),
  };
}

/** The name of a row among others. Rows with the same name differ in their size. */
function nameAmong(rows: readonly Row[], { name, plan }: Row): string {
  const isOnly = rows.filter((row) => row.name === name).length === 1;
  return isOnly ? name : `${name}, ${shortCount(plan.items)} at ${rate(plan.fpr)}`;
}

function bitsOverRate({ sizeables, constraints }: Sized): Plot[] {
  const items = constraints.find((some) => some.items !== undefined)?.items ?? DEFAULT_ITEMS;
  const bitsOf = (plan: (fpr: number) => { bits: number } | undefined) =>
    sampled(RATES.from, RATES.to, (fpr) => {
      try {
        const bits = plan(fpr)?.bits;
        return bits === undefined ? undefined : bits / items;
      } catch (error) {
        // Not every rate is possible.
        if (error instanceof BloomError) return undefined;
        throw error;
      }
    });
  const lines: Line[] = sizeables.map((sizeable) => ({
    name: sizeable.name,
    points: bitsOf((fpr) => sizeable.plan({ items, fpr })),
  }));
  const bits = lines.flatMap(({ points }) => points.map(({ y }) => y));
  if (bits.length === 0) return [];
  const x: Axis = { title: 'rate of false positives', isLogarithmic: true, ...RATES, text: rate };
  const from = Math.min(...bits);
  const to = Math.max(2 * from, ...bits);
  const y: Axis = { title: 'bits per key', isLogarithmic: true, from, to, text: tickText };
  return [
    { title: `What a rate costs, for ${withNoun(shortCount(items), 'key')}`, x, y, ...distinctLines(lines, x, y) },
  ];
}

/** Values at x from one end to the other in equal ratios. Missing values are skipped. */
function sampled(from: number, to: number, valueAt: (x: number) => number | undefined): Point[] {
  return Array.from({ length: POINTS + 1 }, (_, i) => from * (to / from) ** (i / POINTS)).flatMap((x) => {
    const y = valueAt(x);
    return y === undefined ? [] : [{ x, y }];
  });
}
