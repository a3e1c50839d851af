// Pictures as SVG: positions, and valid XML.

import { expect, test } from 'vitest';
import { distinctLines, MOST_LINES, type Plot } from '../../src/plots/plot.ts';
import { plotsSvg } from '../../src/plots/svg.ts';

const PLOT: Plot = {
  title: 'a < b & c\u001b[31m',
  x: { title: 'x', isLogarithmic: false, from: 0, to: 10, text: String },
  y: { title: 'y', isLogarithmic: true, from: 0.01, to: 1, text: String },
  lines: [
    {
      name: 'one',
      points: [
        { x: 0, y: 1 },
        { x: 5, y: 0.1 },
        { x: 10, y: 0.01 },
        { x: 11, y: 0.01 },
      ],
    },
    { name: 'two', points: [{ x: 0, y: 0.5 }] },
  ],
  measured: [{ name: 'measured', x: 5, y: 0.1, low: 0.001, high: 1 }],
};

test('lines and points are at their positions on the axes', () => {
  const svg = plotsSvg([PLOT]);
  expect(svg).toContain('points="96,44 328,180 560,316"');
  expect(svg).toMatch(/<circle class="measured" [^>]* cx="328" cy="180" r="3"\/>/);
  // From the upper end of the interval to the lower edge, as the other end lies below it.
  expect(svg).toMatch(/<line class="measured" [^>]* x1="328" y1="316" x2="328" y2="44"\/>/);
});

test('it is one XML document with the text of its plots', () => {
  const svg = plotsSvg([PLOT, PLOT]);
  expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 760"')).toBe(true);
  expect(svg.match(/a &lt; b &amp; c\[31m<\/text>/g)).toHaveLength(2);
  // Every open tag is closed, in order.
  const open: string[] = [];
  for (const [, end, name = '', own] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!own) open.push(name);
  }
  expect(open).toEqual([]);
  expect(svg.replace(/<[^<>]+>/g, '')).not.toMatch(/[<>]/);
});

/** The look of each line: its colour and its dashes. */
const looks = (svg: string) =>
  [...svg.matchAll(/<polyline [^>]*? stroke="(#\w+)"(?: stroke-dasharray="([^"]+)")?/g)].map(([, ...look]) =>
    look.join(),
  );

test('lines differ by colour and dashes, on light pages and on dark ones', () => {
  const points = PLOT.lines[0]?.points ?? [];
  const lines = Array.from({ length: MOST_LINES }, (_, i) => ({ name: `line ${i}`, points }));
  const svg = plotsSvg([{ ...PLOT, lines }]);
  expect(new Set(looks(svg)).size).toBe(MOST_LINES);
  const [, dark = ''] = svg.split('@media(prefers-color-scheme:dark)');
  for (const [, name] of svg.matchAll(/class="line (c\d)"/g)) expect(dark).toContain(`.${name}{stroke:`);
});

test('it looks the same without its style sheet', () => {
  const svg = plotsSvg([{ ...PLOT, notes: [{ x: 1, text: 'here' }], missing: ['three'] }]);
  const elements = [...svg.matchAll(/<(rect|line|polyline|path|circle|text) ([^>]*)>/g)];
  expect(new Set(elements.map(([, name]) => name)).size).toBe(6);
  for (const [, name = '', attributes = ''] of elements) {
    // Without these attributes SVG fills shapes with black, and draws no line.
    expect(attributes).toMatch(/(^| )fill="/);
    if (name !== 'rect') expect(attributes).toMatch(/(^| )stroke="/);
    const [twice] = /(?:^| )([\w-]+)=.* \1=/.exec(attributes) ?? [];
    expect(twice).toBeUndefined();
  }
});

test('no text of a legend ends outside the picture, or overlaps another', () => {
  const names = ['a name of twenty-four letters', 'short', 'one, two, three, four, five, six, seven, eight, nine'];
  const lines = Array.from({ length: 20 }, (_, i) => ({ name: names[i % 3] ?? '', points: [{ x: 1, y: 1 }] }));
  const svg = plotsSvg([{ ...PLOT, lines, missing: ['ten', 'eleven'] }]);
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
  const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</g)].filter(([, x]) => Number(x) > 560);
  const legend = texts.map(([, , , text]) => text).join(' ');
  for (const name of [...names, 'not drawn: ten, eleven']) expect(legend).toContain(name);
  // Digits and small letters are 0.55 em wide in Arial, and 0.63 em in DejaVu Sans, for text of 13 pixels.
  for (const [, x, , text = ''] of texts) expect(Number(x) + 0.6 * 13 * text.length).toBeLessThan(width ?? 0);
  const rows = texts.map(([, , y]) => Number(y));
  expect(new Set(rows).size).toBe(rows.length);
  expect(Math.max(...rows)).toBeLessThan(height ?? 0);
});

test('equal curves are drawn as one, and a curve that cannot be drawn is named', () => {
  const straight = (name: string, height: number) => ({ name, points: [0, 10].map((x) => ({ x, y: height })) });
  const [one, almost, other] = [straight('one', 0.1), straight('almost', 0.1001), straight('other', 0.2)];
  const none = [straight('beyond', 5), { name: 'empty', points: [] }];
  const { lines, missing } = distinctLines([one, other, almost, ...none], PLOT.x, PLOT.y);
  expect(lines).toEqual([{ ...one, name: 'one, almost' }, other]);
  expect(missing).toEqual(['beyond', 'empty']);
  const many = Array.from({ length: 100 }, (_, i) => straight(`${i}`, 0.01 * 1.04 ** i));
  expect(distinctLines(many, PLOT.x, PLOT.y).lines).toHaveLength(MOST_LINES);
  expect(distinctLines(many, PLOT.x, PLOT.y).missing).toEqual(many.slice(MOST_LINES).map(({ name }) => name));
});
