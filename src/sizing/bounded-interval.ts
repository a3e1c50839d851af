// Confidence intervals of a quantity that cannot be negative, although its estimate can: Feldman & Cousins 1998, "Unified
// approach to the classical statistical analysis of small signals". An interval that is cut off at 0 would hold in 97.5 %
// of all cases if the quantity is 0. These hold in 95 %.

import { Z95 } from './interval.ts';

/** A range of estimates, in standard errors. */
interface Acceptance {
  readonly from: number;
  readonly to: number;
}

/** The normal quantile of a one-sided 95 % interval. */
const Z95_ONE_SIDED = 1.6448536269514722;

const STEPS = 30;

/**
 * The estimates that are compatible with a true value: a share of 95 %, ordered by their likelihood relative to that of
 * the best value which is not negative. Estimates and values are in standard errors.
 */
function acceptanceOf(value: number): Acceptance {
  if (value >= Z95) return { from: value - Z95, to: value + Z95 };
  if (value <= 0) return { from: Number.NEGATIVE_INFINITY, to: Z95_ONE_SIDED };
  const at = (half: number): Acceptance => ({
    // The likelihood ratio of a positive estimate x is exp(-(x - value)^2 / 2), that of a negative one exp(x value - value^2 / 2).
    from: half <= value ? value - half : (value ** 2 - half ** 2) / (2 * value),
    to: value + half,
  });
  const share = ({ from, to }: Acceptance) => normalBelow(to - value) - normalBelow(from - value);
  const half = firstWhere((half) => share(at(half)) >= 0.95, Z95_ONE_SIDED, Z95);
  return at(half);
}

/** Whether an estimate with a standard error is compatible with a true value, which is not negative. */
export function isCompatible(estimate: number, value: number, error: number): boolean {
  if (error === 0) return estimate === value;
  const { from, to } = acceptanceOf(value / error);
  return from <= estimate / error && estimate / error <= to;
}

/** The point between two bounds from which on a condition holds, by bisection. The condition holds at `to`. */
export function firstWhere(holds: (at: number) => boolean, from: number, to: number): number {
  let [below, above] = [from, to];
  for (let step = 0; step < STEPS; step++) {
    const middle = (below + above) / 2;
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** The standard normal distribution function, with an error below 10^-7 (Abramowitz & Stegun 1964, 26.2.17). */
function normalBelow(x: number): number {
  if (x < 0) return 1 - normalBelow(-x);
  const t = 1 / (1 + 0.2316419 * x);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
