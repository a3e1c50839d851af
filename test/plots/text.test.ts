// Pictures in characters. The expected positions are computed by hand, or from the drawn function.

import { describe, expect, test } from 'vitest';
import type { Plot } from '../../src/plots/plot.ts';
import { plotText } from '../../src/plots/text.ts';

const plain = (text: string) => text;
const PLAIN = { strong: plain, faint: plain, good: plain };

/** y = 10^-x, a straight line from corner to corner, and a point in the middle. */
const DECLINE: Plot = {
  title: 'A decline',
  x: { title: 'time', isLogarithmic: false, from: 0, to: 3, text: String },
  y: { title: 'what is left', isLogarithmic: true, from: 0.001, to: 1, text: String },
  lines: [
    { name: 'first', points: [0, 0.5, 1, 1.5, 2, 2.5, 3].map((x) => ({ x, y: 10 ** -x })) },
    {
      name: 'half of the way',
      points: [
        { x: 0, y: 0.001 },
        { x: 1.5, y: 0.001 },
      ],
    },
  ],
  measured: [{ name: 'measured', x: 1.5, y: 0.1, low: 0.01, high: 1 }],
  notes: [{ x: 3, text: 'end' }],
};

/** The cells of a picture, without its axes. */
function cellsOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => /^ *[\d.]* [|+](.*)$/.exec(line)?.slice(1) ?? [])
    .filter((cells) => !/^[-+]*-[-+]*$/.test(cells));
}

test('each column has its line at its height, and points have their interval', () => {
  const width = 58;
  const cells = cellsOf(plotText(DECLINE, width + 7, PLAIN)).map((line) => line.padEnd(width));
  expect(cells).toHaveLength(16);
  const middle = Math.round((width - 1) / 2);
  for (let column = 0; column < width; column++) {
    if (column === middle) continue;
    const row = Math.round((15 * column) / (width - 1));
    expect(cells[row]?.[column]).toBe('*');
    expect(cells[15]?.[column]).toBe(row === 15 ? '*' : column < width / 2 ? 'o' : ' ');
    if (column === width - 1) expect(cells.slice(0, 15).every((line) => line[column] === ':')).toBe(true);
  }
  expect(cells.map((line) => line[middle]).join('')).toBe('|||||M|||||     ');
});

test.each([20, 30, 40, 79, 80, 120, 200])('no line has more than %d columns', (columns) => {
  const lines = plotText(DECLINE, columns, PLAIN).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(Math.min(columns, 100) - 4);
});

describe('axes are labelled with round values', () => {
  const labels = (plot: Plot) => {
    const lines = plotText(plot, 80, PLAIN).split('\n');
    const axis = lines.findIndex((line) => /^ *\+[-+]+$/.test(line));
    const y = lines.slice(0, axis).flatMap((line) => /^ *(\S+) \+/.exec(line)?.slice(1) ?? []);
    return { x: lines[axis + 1]?.trim().split(/ +/), y };
  };

  test('powers of ten, and multiples', () => {
    expect(labels(DECLINE)).toEqual({ x: ['0', '1', '2', '3'], y: ['1', '0.1', '0.01', '0.001'] });
  });

  test('of a logarithmic axis of few powers, also twice and five times one', () => {
    const y = { ...DECLINE.y, from: 4, to: 60 };
    expect(labels({ ...DECLINE, y }).y).toEqual(['50', '20', '10', '5']);
  });

  test('of an axis that declines', () => {
    const x = { title: 'rate', isLogarithmic: true, from: 0.1, to: 0.0001, text: String };
    expect(labels({ ...DECLINE, x }).x).toEqual(['0.1', '0.01', '0.001', '0.0001']);
  });
});

test('a line on an axis that declines is drawn', () => {
  const x = { title: 'rate', isLogarithmic: true, from: 0.1, to: 0.0001, text: String };
  const points = [0.1, 0.01, 0.001, 0.0001].map((at) => ({ x: at, y: at * 10 }));
  const cells = cellsOf(
    plotText({ ...DECLINE, x, lines: [{ name: 'it', points }], measured: [], notes: [] }, 65, PLAIN),
  );
  for (const [row, line] of cells.entries())
    expect(line).toMatch(new RegExp(`^ {${Math.max(0, Math.floor(3.8 * (row - 0.5)))},}\\*+$`));
});

test('few values of a linear axis are labelled', () => {
  const y = { title: 'keys', isLogarithmic: false, from: 0, to: 10, text: String };
  const labels = plotText({ ...DECLINE, y, lines: [], measured: [] }, 80, PLAIN).matchAll(/^ *(\d+) \+/gm);
  expect([...labels].map(([, label]) => label)).toEqual(['10', '5', '0']);
});

test.each([
  [20, 20],
  [65, 65],
  [100, 100],
  [101, 100],
  [300, 100],
])('in %d columns the axis ends at column %d', (columns, end) => {
  const lines = plotText(DECLINE, columns, PLAIN).split('\n');
  expect(lines.find((line) => /^ *\+[-+]+$/.test(line))).toHaveLength(end);
});
