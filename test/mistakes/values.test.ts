// Which words are proposed instead of a mistyped one.

import { expect, test } from 'vitest';
import { isNear } from '../../src/mistakes/values.ts';

const LETTERS = ['a', 'b', 'c'];

/** All words of at most this many letters. */
function wordsOf(length: number): string[] {
  if (length === 0) return [''];
  const shorter = wordsOf(length - 1);
  const longest = shorter.filter((word) => word.length === length - 1);
  return [...shorter, ...longest.flatMap((word) => LETTERS.map((letter) => word + letter))];
}

/** The words that one inserted, missing or wrong letter, or two swapped ones, make of a word. */
function slipsOf(word: string): Set<string> {
  const slips = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== '') slips.add(before + after.slice(1));
    if (after.length > 1) slips.add(before + after.slice(0, 2).split('').reverse().join('') + after.slice(2));
    for (const letter of LETTERS) {
      slips.add(before + letter + after);
      if (after !== '') slips.add(before + letter + after.slice(1));
    }
  }
  return slips;
}

test('words that one slip makes of each other are near, and no others', () => {
  const words = wordsOf(4);
  for (const one of words) {
    const slips = slipsOf(one);
    const others = words.filter((word) => word !== '' && word !== one);
    const near = others.filter((other) => isNear(one, other));
    expect([one, ...near]).toEqual([one, ...others.filter((other) => slips.has(other))]);
  }
});
