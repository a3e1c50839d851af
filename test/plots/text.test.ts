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

describe('a whole picture', () => {
  /** 61 columns: with the margin of "10" and the axis, 57 of them are cells, so that x is a column. */
  const x = { title: 'x', isLogarithmic: false, from: 0, to: 56, text: String };
  const y = { title: 'y', isLogarithmic: false, from: 0, to: 15, text: String };
  const point = (at: number, value: number) => ({ x: at, y: value });
  const plot: Plot = {
    title: 'A picture',
    x,
    y,
    lines: [
      { name: 'up', points: [point(5, -0.2), point(10, -0.01), point(20, 5), point(30, 5)] },
      { name: 'level', points: [point(15, 5), point(40, 5)] },
      { name: 'beyond', points: [point(42, 15.3), point(50, 15.1)] },
      { name: 'steep', points: [point(49, 2), point(50, 9), point(52, 9)] },
    ],
    missing: ['this', 'that'],
    measured: [
      { name: 'inside', x: 12, y: 10, low: 9, high: 12 },
      { name: 'above', x: 33, y: 20, low: 13, high: 22 },
      { name: 'below', x: 35, y: -3, low: -5, high: 1 },
      { name: 'elsewhere', x: 57, y: 3, low: 2, high: 4 },
    ],
    notes: [
      { x: 45, text: 'full' },
      { x: 46, text: '' },
      { x: 57, text: 'later' },
    ],
  };
  const expected: readonly (readonly [column: number, row: number, character: string])[] = [
    ...Array.from({ length: 16 }, (_, row) => [45, row, ':'] as const),
    ...Array.from({ length: 16 }, (_, row) => [46, row, ':'] as const),
    ...Array.from({ length: 26 }, (_, i) => [15 + i, 10, 'o'] as const),
    // From -0.01 at 10 to 5 at 20; only heights from 0 on are drawn.
    ...Array.from({ length: 9 }, (_, i) => [11 + i, 15 - Math.round(-0.01 + 0.501 * (i + 1)), '*'] as const),
    ...Array.from({ length: 11 }, (_, i) => [20 + i, 10, '*'] as const),
    [49, 13, 'x'],
    [50, 6, 'x'],
    [51, 6, 'x'],
    [52, 6, 'x'],
    ...[3, 4, 6].map((row) => [12, row, '|'] as const),
    [12, 5, 'M'],
    ...[0, 1, 2].map((row) => [33, row, '|'] as const),
    ...[14, 15].map((row) => [35, row, '|'] as const),
  ];

  test('has its titles, cells, axes, labels and legend where they belong', () => {
    const rows = Array.from({ length: 16 }, () => Array<string>(57).fill(' '));
    for (const [column, row, character] of expected) (rows[row] ?? [])[column] = character;
    const label = (row: number) => ({ 0: '15 +', 5: '10 +', 10: ' 5 +', 15: ' 0 +' })[row] ?? '   |';
    // About four labels in 57 columns: every twentieth column.
    const axis = Array.from({ length: 57 }, (_, column) => (column % 20 === 0 ? '+' : '-')).join('');
    expect(plotText(plot, 61, PLAIN).split('\n')).toEqual([
      'A picture',
      'y',
      ...rows.map((cells, row) => `${label(row)}${cells.join('').trimEnd()}`),
      `   +${axis}`,
      '    0                  20                  40',
      'x',
      '* up',
      'o level',
      '+ beyond',
      'x steep',
      ': full',
      ': later',
      'M inside',
      'M above',
      'M below',
      'M elsewhere',
      'not drawn: this, that',
      '',
    ]);
  });

  test('is painted: the title is strong, and the axes are faint', () => {
    const marked = (mark: string) => (text: string) => `<${mark}${text}>`;
    const lines = plotText({ ...plot, title: 'A title that is folded' }, 20, {
      strong: marked('s'),
      faint: marked('f'),
      good: marked('g'),
    }).split('\n');
    expect(lines.slice(0, 4)).toEqual(['<sA title that is>', '<sfolded>', '<fy>', expect.stringMatching(/^<f15 \+>/)]);
    expect(lines[4]).toMatch(/^<f {3}\|>/);
    expect(lines.slice(19, 24)).toEqual(['<f   ++--------------->', '<f    0>', '<fx>', '* up', 'o level']);
  });
});

test('a line of one point is drawn nowhere, and 48 lines have different characters', () => {
  const lines = Array.from({ length: 48 }, (_, i) => ({ name: `line ${i}`, points: [{ x: 1, y: 0.1 }] }));
  const text = plotText({ ...DECLINE, lines, measured: [], notes: [] }, 65, PLAIN);
  expect(cellsOf(text).join('').trim()).toBe('');
  const characters = [...text.matchAll(/^(\S) line \d+$/gm)].map(([, character]) => character);
  expect(new Set(characters).size).toBe(48);
  expect(characters).not.toContain('M');
});
