import { BloomError } from '../../errors.ts';
import type { Axis, Line, Plot, Point } from '../../plots/plot.ts';
import { rate, shortCount } from '../../quantities.ts';
import type { Sized } from '../size-rows.ts';
import type { Row } from './rows.ts';

/** Filters that are compared in one picture, at most. */
const MOST_LINES = 10;

/** Keys over capacity that a picture reaches, and before it. */
const PAST = 10;
const POINTS = 100;

/** Rates of the picture of sizes, and the keys where nobody has said how many. */
const RATES = { from: 0.1, to: 1e-5 };
const DEFAULT_ITEMS = 1e6;

/** Rates below that of the target that are shown. */
const BELOW = 10;

/** The rate of filters that get more keys than they were sized for, and what a rate costs. */
export function sizePlots(rows: readonly Row[], sized: Sized, isSolved: boolean): Plot[] {
  return [...(isSolved ? [pastCapacity(rows.slice(0, MOST_LINES))] : []), bitsOverRate(sized)];
}

function pastCapacity(rows: readonly Row[]): Plot {
  const items = rows.map(({ plan }) => plan.items);
  const isOne = new Set(items).size === 1;
  const unit = isOne ? (items[0] ?? 1) : 1;
  const lowest = Math.min(...rows.map(({ plan }) => plan.fpr));
  const y: Axis = { title: 'rate of false positives', isLogarithmic: true, from: lowest / BELOW, to: 1, text: rate };
  return {
    title: 'The rate past the capacity',
    x: {
      title: isOne ? 'keys' : 'keys, in multiples of the capacity',
      isLogarithmic: true,
      from: unit / PAST,
      to: unit * PAST,
      text: isOne ? shortCount : (value) => `${Number(value.toPrecision(3))}x`,
    },
    y,
    lines: rows.map((row) => ({
      name: nameAmong(rows, row),
      points: sampled(unit / PAST, unit * PAST, (keys) => row.rateWith(Math.round((keys / unit) * row.plan.items))),
    })),
    notes: [{ x: unit, text: 'capacity' }],
  };
}

/** What a row is called among others: those of the same name differ in what they were sized for. */
function nameAmong(rows: readonly Row[], { name, plan }: Row): string {
  const isOnly = rows.filter((row) => row.name === name).length === 1;
  return isOnly ? name : `${name}, ${shortCount(plan.items)} at ${rate(plan.fpr)}`;
}

function bitsOverRate({ kinds, systems, constraints }: Sized): Plot {
  const items = constraints.find((some) => some.items !== undefined)?.items ?? DEFAULT_ITEMS;
  const bitsOf = (plan: (fpr: number) => { bits: number } | undefined) =>
    sampled(RATES.from, RATES.to, (fpr) => {
      try {
        const bits = plan(fpr)?.bits;
        return bits === undefined ? undefined : bits / items;
      } catch (error) {
        // Not every rate can be had.
        if (error instanceof BloomError) return undefined;
        throw error;
      }
    });
  const lines: Line[] = [
    ...kinds.map(({ name, plan }) => ({ name, points: bitsOf((fpr) => plan({ items, fpr })) })),
    ...systems.map((system) => ({ name: system.name, points: bitsOf((fpr) => system.plan({ items, fpr })) })),
  ].slice(0, MOST_LINES);
  const bits = lines.flatMap(({ points }) => points.map(({ y }) => y));
  return {
    title: `What a rate costs, for ${shortCount(items)} keys`,
    x: { title: 'rate of false positives', isLogarithmic: true, ...RATES, text: rate },
    y: { title: 'bits a key', isLogarithmic: true, from: Math.min(...bits), to: Math.max(...bits), text: String },
    lines,
  };
}

/** Values at x from one end to the other, in even ratios, where there are some. */
function sampled(from: number, to: number, valueAt: (x: number) => number | undefined): Point[] {
  return Array.from({ length: POINTS + 1 }, (_, i) => from * (to / from) ** (i / POINTS)).flatMap((x) => {
    const y = valueAt(x);
    return y === undefined ? [] : [{ x, y }];
  });
}
