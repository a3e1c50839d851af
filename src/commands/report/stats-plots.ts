import type { Plot } from '../../plots/plot.ts';
import { count, rate, ratesLike, tickText } from '../../quantities.ts';
import type { Report } from './report.ts';

const POINTS = 100;

/** How far a plot extends beyond the keys and the capacity of a filter. */
const BEYOND = 2;

/** How far the plot extends below the rates of a filter. */
const BELOW = 100;

/** The fill of the segments of a filter. Its rate, predicted for any number of keys, and measured. */
export function statsPlots(report: Report): Plot[] {
  const { shape } = report.description;
  const hasSegments = shape.segments > 1 && report.fills.length === shape.segments;
  return [...(hasSegments ? [fillPlot(report)] : []), ratePlot(report)];
}

function fillPlot({ file, description: { kind, shape }, content, fills }: Report): Plot {
  const segment = { ...shape, segments: 1, bits: shape.segmentBits };
  return {
    title: `${file}: how full its segments are`,
    x: { title: 'segment', isLogarithmic: false, from: 1, to: shape.segments, text: count },
    y: { title: `share of the ${content.units} taken`, isLogarithmic: false, from: 0, to: 1, text: rate },
    lines: [{ name: 'fill', points: fills.map((fill, i) => ({ x: i + 1, y: kind.fillRatio([fill], segment) })) }],
  };
}

function ratePlot({ file, description, content, measured, absent }: Report): Plot {
  const { kind, shape, target } = description;
  const keys = Math.max(1, content.distinct.count);
  const to = BEYOND * Math.max(keys, target?.capacity ?? 0);
  const lowest = Math.min(
    ...([content.predictedFpr, target?.targetFpr].filter((some) => some !== undefined && some > 0) as number[]),
  );
  const from = Math.max(1e-12, (Number.isFinite(lowest) ? lowest : 1) / BELOW);
  const { predictedRate = () => 1, refuses } = kind;
  const predicted = Array.from({ length: POINTS }, (_, i) => (to * (i + 1)) / POINTS).flatMap((x) => {
    const y = predictedRate(Math.round(x), shape);
    return refuses && y === 1 ? [] : [{ x, y }];
  });
  const point = (name: string, some: typeof measured) =>
    some === undefined ? [] : [{ name, x: keys, y: some.rate, low: some.low, high: some.high }];
  return {
    title: `${file}: its rate`,
    x: { title: 'distinct keys', isLogarithmic: false, from: 0, to, text: tickText },
    y: { title: 'rate of false positives', isLogarithmic: true, from, to: 1, text: ratesLike([from]) },
    lines: [
      ...(kind.predictedRate === undefined ? [] : [{ name: 'predicted', points: predicted }]),
      ...(target === undefined ? [] : [{ name: 'target', points: [0, to].map((x) => ({ x, y: target.targetFpr })) }]),
    ],
    measured: [...point('measured', measured), ...point('on absent keys', absent)],
    notes: target === undefined ? [] : [{ x: target.capacity, text: 'capacity' }],
  };
}
