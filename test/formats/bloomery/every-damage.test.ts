// A file of any kind is accepted only if every bit of it is as written.

import { describe, expect, test } from 'vitest';
import { inLongRuns } from '../../long.ts';
import { parseFile } from '../../reference/bloom-file.ts';
import { FEW_KEYS, fewKeysOfEveryKind, KIND_NAMES } from './every-kind.ts';
import { loading, reading } from './files.ts';

const fileOfKind = fewKeysOfEveryKind({ fpr: 0.1 });
const otherOfKind = fewKeysOfEveryKind({ fpr: 0.1, seed: 1 });
const HEADER = 128;

/** The step between tested bits or lengths. It is odd, so that every bit of a byte occurs. Long runs test every byte. */
const STEP = inLongRuns(7, 251);

/** The outcomes of loading the files, and how often each occurs. */
async function outcomes(files: Iterable<Uint8Array>, of = loading): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const file of files) {
    const outcome = await of(file);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** The file with one flipped bit, for every `step`-th bit in turn. All results share one buffer. */
function* flipped(file: Uint8Array, step = 1): Iterable<Uint8Array> {
  for (let bit = 0; bit < 8 * file.length; bit += step) {
    const at = bit >> 3;
    file[at] = (file[at] ?? 0) ^ (1 << (bit & 7));
    yield file;
    file[at] = (file[at] ?? 0) ^ (1 << (bit & 7));
  }
}

describe.each(KIND_NAMES)('a %s filter', (kind) => {
  test('is accepted unchanged', async () => {
    expect(parseFile(fileOfKind(kind)).inserted).toBe(FEW_KEYS.length);
    expect(await loading(fileOfKind(kind))).toBe('accepted');
    expect(await reading(fileOfKind(kind))).toBe('accepted');
  });

  test('is refused with any bit changed', async () => {
    const file = fileOfKind(kind);
    expect(await outcomes(flipped(file, STEP), reading)).toEqual({ format: Math.ceil((8 * file.length) / STEP) });
    expect(await outcomes(flipped(file, 61))).toEqual({ format: Math.ceil((8 * file.length) / 61) });
  });

  test('is refused if it ends early', async () => {
    const file = fileOfKind(kind);
    const lengths = Array.from({ length: file.length }, (_, i) => file.length - 1 - i).filter((_, i) => i % STEP === 0);
    const shorter = lengths.map((length) => file.subarray(0, length));
    expect(await outcomes(shorter)).toEqual({ format: lengths.length });
  });

  test('is refused if it has more bytes', async () => {
    const file = fileOfKind(kind);
    const tails = [[0], [10], Array(16).fill(0), [...file], [...file.subarray(file.length - 8)]];
    expect(await outcomes(tails.map((tail) => Uint8Array.of(...file, ...tail)))).toEqual({ format: tails.length });
  });

  test('is refused with the header or the table of another', async () => {
    const [file, other] = [fileOfKind(kind), otherOfKind(kind)];
    expect(await loading(other)).toBe('accepted');
    expect(other.length).toBe(file.length);
    const mixed = Uint8Array.of(...other.subarray(0, HEADER), ...file.subarray(HEADER));
    const rest = Uint8Array.of(...file.subarray(0, HEADER), ...other.subarray(HEADER));
    expect(await outcomes([mixed, rest])).toEqual({ format: 2 });
  });
});
