import { describe, expect, test } from 'vitest';
import { fold } from '../../src/plots/fold.ts';
import { distinctLines, isOn, shareOf, ticksOf } from '../../src/plots/plot.ts';

test.each([
  [0, 4, 5, [0, 1, 2, 3, 4]],
  [20, 100, 5, [20, 40, 60, 80, 100]],
  [35, 95, 4, [40, 60, 80]],
  [0.1, 0.4, 4, [0.1, 0.2, 0.3, 0.4]],
  [100, 20, 5, [20, 40, 60, 80, 100]],
])('an axis from %d to %d with about %d values has %j', (from, to, most, ticks) => {
  expect(ticksOf({ title: '', isLogarithmic: false, from, to, text: String }, most)).toEqual(ticks);
});

test.each([
  [0.001, 1, 4, [0.001, 0.01, 0.1, 1]],
  [1e-6, 1, 4, [1e-6, 1e-4, 1e-2, 1]],
  [1e-6, 1, 3, [1e-6, 1e-3, 1]],
  [1e-6, 1, 1, [1e-6, 1e-2]],
  [0.002, 0.9, 4, [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]],
  [1, 100, 4, [1, 10, 100]],
  [4, 60, 4, [5, 10, 20, 50]],
  [100, 1, 4, [1, 10, 100]],
  [30, 40, 4, []],
])('a logarithmic axis from %d to %d with about %d values has %j', (from, to, most, ticks) => {
  expect(ticksOf({ title: '', isLogarithmic: true, from, to, text: String }, most)).toEqual(ticks);
});

test.each([
  [0, 1, 2, [0, 1]],
  [0, 1, 1, [0, 1]],
  [0, 9, 4, [0, 5]],
  [0.5, 2.5, 5, [0.5, 1, 1.5, 2, 2.5]],
  [-3, 3, 4, [-2, 0, 2]],
])('a linear axis from %d to %d with about %d values has %j', (from, to, most, ticks) => {
  expect(ticksOf({ title: '', isLogarithmic: false, from, to, text: String }, most)).toEqual(ticks);
});

describe('positions on an axis', () => {
  const axis = (isLogarithmic: boolean, from: number, to: number) => ({
    title: '',
    isLogarithmic,
    from,
    to,
    text: String,
  });

  test('are shares of a difference, or of a ratio', () => {
    expect([10, 15, 20, 30].map((value) => shareOf(axis(false, 10, 20), value))).toEqual([0, 0.5, 1, 2]);
    expect([15, 10, 5].map((value) => shareOf(axis(false, 20, 10), value))).toEqual([0.5, 1, 1.5]);
    expect([1, 10, 100].map((value) => shareOf(axis(true, 1, 100), value))).toEqual([0, 0.5, 1]);
  });

  test('are between its ends, whichever is larger', () => {
    for (const [from, to] of [
      [10, 20],
      [20, 10],
    ] as const)
      expect([9.9, 10, 15, 20, 20.1].map((value) => isOn(axis(false, from, to), value))).toEqual([
        false,
        true,
        true,
        true,
        false,
      ]);
  });
});

describe('lines of a plot', () => {
  const x = { title: '', isLogarithmic: false, from: 0, to: 10, text: String };
  const y = { title: '', isLogarithmic: false, from: 0, to: 150, text: String };
  const line = (name: string, ...values: number[]) => ({
    name,
    points: values.map((value, i) => ({ x: 5 * i, y: value })),
  });

  test('that differ by less than a 150th of the height at each point are one line', () => {
    const lines = [
      line('a', 10, 20),
      line('b', 10.9, 19.1),
      line('c', 10, 21),
      line('d', 10, 20, 30),
      line('e', 11, 20),
    ];
    const moved = {
      name: 'f',
      points: [
        { x: 0, y: 10 },
        { x: 5.1, y: 20 },
      ],
    };
    const { lines: drawn, missing } = distinctLines([...lines, moved], x, y);
    expect(drawn.map(({ name }) => name)).toEqual(['a, b', 'c', 'd', 'e', 'f']);
    expect(drawn[0]?.points).toEqual(lines[0]?.points);
    expect(missing).toEqual([]);
  });

  test('without a point inside the axes, or after 48 others, are missing', () => {
    const outside = [
      line('above', 151, 200),
      { name: 'right', points: [{ x: 11, y: 5 }] },
      // Each point is outside one axis.
      {
        name: 'around',
        points: [
          { x: 11, y: 5 },
          { x: 5, y: 151 },
        ],
      },
      line('none'),
    ];
    const many = Array.from({ length: 50 }, (_, i) => line(`${i}`, 3 * i, 0));
    const { lines: drawn, missing } = distinctLines([...outside, ...many, line('like 0', 0, 0)], x, y);
    expect(drawn.map(({ name }) => name)).toEqual(['0, like 0', ...Array.from({ length: 47 }, (_, i) => `${i + 1}`)]);
    expect(missing).toEqual(['above', 'right', 'around', 'none', '48', '49']);
  });
});

test.each([
  ['', 10, ['']],
  ['one', 2, ['one']],
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['a bc def ghij', 4, ['a bc', 'def', 'ghij']],
])('%j in %d columns is %j', (text, columns, lines) => expect(fold(text, columns)).toEqual(lines));
