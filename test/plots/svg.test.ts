// Pictures as SVG: what is drawn where, and that it is XML.

import { expect, test } from 'vitest';
import type { Plot } from '../../src/plots/plot.ts';
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

test('lines and points stand where their axes have them', () => {
  const svg = plotsSvg([PLOT]);
  expect(svg).toContain('points="96,44 328,180 560,316"');
  expect(svg).toContain('<circle class="measured" cx="328" cy="180" r="3"/>');
  // From the upper end of the interval to the lower edge, below which the other end is.
  expect(svg).toContain('<line class="measured" x1="328" y1="316" x2="328" y2="44"/>');
});

test('it is one XML document, with the text of its plots and nothing that is none', () => {
  const svg = plotsSvg([PLOT, PLOT]);
  expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 760"')).toBe(true);
  expect(svg.match(/a &lt; b &amp; c\[31m<\/text>/g)).toHaveLength(2);
  // Every tag that is opened is closed, in order.
  const open: string[] = [];
  for (const [, end, name = '', own] of svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!own) open.push(name);
  }
  expect(open).toEqual([]);
  expect(svg.replace(/<[^<>]+>/g, '')).not.toMatch(/[<>]/);
});

test('lines differ by colour and by dashes, on light pages and on dark ones', () => {
  const lines = Array.from({ length: 8 }, (_, i) => ({ name: `line ${i}`, points: PLOT.lines[0]?.points ?? [] }));
  const svg = plotsSvg([{ ...PLOT, lines }]);
  const styles = [...svg.matchAll(/<polyline class="line (c\d)" stroke-dasharray="([^"]+)"/g)].map(([, ...style]) =>
    style.join(),
  );
  expect(new Set(styles).size).toBe(8);
  const [light = '', dark = ''] = svg.split('@media(prefers-color-scheme:dark)');
  for (const [, name] of svg.matchAll(/class="line (c\d)"/g)) {
    expect(light).toContain(`.${name}{stroke:`);
    expect(dark).toContain(`.${name}{stroke:`);
  }
});
