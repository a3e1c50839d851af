import { expect, test } from 'vitest';
import { fold } from '../../src/terminal/help-text.ts';

const folded = (columns: number, ...lines: string[]) => fold(lines.join('\n'), columns).split('\n');

test('lines that fit are unchanged', () => {
  const text = '\nOne.\n\nTwo:\n  three  four\n';
  expect(fold(text, 13)).toBe(text);
});

test('the lines of one paragraph are refilled, lines of two paragraphs are not joined', () => {
  expect(folded(14, 'one two three', 'four five', '', 'six', 'seven')).toEqual([
    'one two three',
    'four five',
    '',
    'six seven',
  ]);
  expect(folded(13, 'one two three', 'four five')).toEqual(['one two three', 'four five']);
  expect(folded(12, 'one two three', 'four five')).toEqual(['one two', 'three four', 'five']);
});

test('the description of a term continues below its first line', () => {
  expect(folded(46, '  -n, --items  the keys that it is sized for, of which none may be left out')).toEqual([
    '  -n, --items  the keys that it is sized for,',
    '               of which none may be left out',
  ]);
});

test('a description with little space beside its term is below the term', () => {
  expect(folded(42, '  -n, --items  the keys that it is to be sized for')).toEqual([
    '  -n, --items',
    '      the keys that it is to be sized for',
  ]);
});

test('an indented line continues with more indentation', () => {
  expect(folded(20, '  bloom build words.txt -o words.bloom')).toEqual([
    '  bloom build',
    '      words.txt -o',
    '      words.bloom',
  ]);
});

test('a long word is not broken', () => {
  expect(folded(8, 'incompressible', '', '  incompressible', '  a  incompressible')).toEqual([
    'incompressible',
    '',
    '  incompressible',
    '  a',
    '      incompressible',
  ]);
});
