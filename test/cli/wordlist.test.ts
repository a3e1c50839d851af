import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import wordListPath from 'word-list';
import { inLongRuns } from '../long.ts';
import { scratch } from './run.ts';

const { path, within } = scratch();
const words = readFileSync(wordListPath, 'utf8').trimEnd().split('\n');

/** Half of the 99 % interval of a normal distribution, in standard deviations. */
const Z99 = 2.576;

beforeAll(() => {
  // Reversed words, except those that are words again.
  const members = new Set(words);
  const reversed = words.map((word) => [...word].reverse().join('')).filter((word) => !members.has(word));
  writeFileSync(path('non-members'), `${reversed.join('\n')}\n`);
});

describe('a published wordlist', () => {
  test.each(inLongRuns(['10%', '1%', '0.1%'], ['1%']))(
    'at %s: no false negatives, and the rate that the formula gives',
    async (fpr) => {
      expect((await within(['build', '-p', fpr, '--force', wordListPath, '-o', 'words.bloom'])).status).toBe(0);
      expect((await within(['query', '-v', '-c', 'words.bloom', wordListPath])).stdout).toBe('0\n');
      expect((await within(['query', 'words.bloom', wordListPath])).stdout).toBe(`${words.join('\n')}\n`);

      const { bits, hashes, absent } = JSON.parse(
        (await within(['stats', '--json', '--probes', '0', '--absent', 'non-members', 'words.bloom'])).stdout,
      );
      expect(absent.records).toBeGreaterThan(100_000);
      // The formula of Bloom 1970, with the bits of the file.
      const theory = (1 - Math.exp((-hashes * words.length) / bits)) ** hashes;
      expect(Math.abs(absent.rate - theory)).toBeLessThan(Z99 * Math.sqrt((theory * (1 - theory)) / absent.records));
    },
  );
});
