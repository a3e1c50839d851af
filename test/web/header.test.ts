// The header reader for browsers accepts what the engine accepts, and refuses what it does not know, for any numbers in a header.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BloomError } from '../../src/errors.ts';
import { requireShape } from '../../src/filters/registry.ts';
import { descriptionOf } from '../../src/formats/bloomery/bloomery.ts';
import { decodeHeader } from '../../src/formats/bloomery/header.ts';
import { headerIn } from '../../src/web/header.ts';
import { fixture, scratch } from '../cli/run.ts';
import { inLongRuns } from '../long.ts';
import { below, createRandom } from '../reference/random.ts';
import { xxh64 } from '../reference/xxh64.ts';

const { path, within } = scratch();

const FLAGS = [
  ['-n', '3M'],
  ['--kind', 'scalable', '-n', '1k'],
  ['--kind', 'quotient', '-n', '900k'],
  ['--kind', 'ribbon', '--never', fixture('packages.txt')],
  ['--kind', 'cuckoo', '-n', '2M', '--part', '2/3'],
  ['--kind', 'fuse', '-n', '3M', '--segment-size', '8KiB'],
  ['--key-hash', 'sha1:upper', '-n', '3M'],
  ['--suffixes', '-n', '3M'],
  ['--kind', 'scalable', '-k', '1'],
];

/** Values next to limits. */
const BYTES = [0, 1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 127, 128, 255];

function isReadByReader(bytes: Uint8Array): boolean {
  try {
    headerIn(bytes, 'f');
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(BloomError);
    return false;
  }
}

const decoded = (bytes: Uint8Array) => decodeHeader(bytes, 'f', (bytes) => xxh64(bytes, 0n));

/** Whether the engine reads a filter with such a header. */
function isAccepted(bytes: Uint8Array): Promise<boolean> {
  return decoded(bytes)
    .then((header) => requireShape(descriptionOf(header, 'f'), 'f'))
    .then(
      () => true,
      () => false,
    );
}

const SCALABLE = 7;

/**
 * Whether all values of the header are known. The reader does not need the growth and the tightening of slices, nor every limit of a
 * kind.
 */
function isKnown(bytes: Uint8Array): Promise<boolean> {
  const known = bytes.slice();
  if (known[12] === SCALABLE) known.set([2, 0x28, 0x23], 81);
  sealed(known);
  return decoded(known).then(
    () => true,
    () => false,
  );
}

/** Writes the checksum of a header. */
function sealed(bytes: Uint8Array): void {
  new DataView(bytes.buffer).setBigUint64(120, xxh64(bytes.subarray(0, 120), 0n), true);
}

test.each(FLAGS)('%s %s %s %s', async (...flags) => {
  // A filter has several slices if most keys are added later.
  await within(['build', ...flags, '-', '-o', 'f.bloom', '--force'], { stdin: 'a key' });
  await within(['add', 'f.bloom', fixture('words.txt')]);
  const file = Uint8Array.from(readFileSync(path('f.bloom'))).subarray(0, 128);
  const random = createRandom(flags.length);
  let accepted = 0;
  const rounds = inLongRuns(4000, 500);
  for (let round = 0; round < rounds; round++) {
    const bytes = file.slice();
    for (let change = below(random, 3); change >= 0; change--)
      bytes[8 + below(random, 112)] = BYTES[below(random, BYTES.length)] ?? 0;
    sealed(bytes);
    const isRead = isReadByReader(bytes);
    const text = Buffer.from(bytes).toString('hex');
    if (await isAccepted(bytes)) expect(isRead, text).toBe(true);
    if (isRead) expect(await isKnown(bytes), text).toBe(true);
    accepted += isRead ? 1 : 0;
  }
  expect(accepted).toBeGreaterThan(rounds / 100);
});

test('a slice of no hash functions or of more than 64 is refused', async () => {
  await within(['build', '--kind', 'scalable', '-n', '100', '-', '-o', 'slices.bloom'], { stdin: 'a key' });
  await within(['add', 'slices.bloom', fixture('words.txt')]);
  const file = Uint8Array.from(readFileSync(path('slices.bloom'))).subarray(0, 128);
  const slices = file[80] ?? 0;
  expect(slices).toBeGreaterThan(2);
  for (let slice = 0; slice < slices; slice++) {
    for (const [k, isPossible] of [
      [0, false],
      [1, true],
      [64, true],
      [65, false],
    ] as const) {
      const bytes = file.slice();
      bytes[85 + 2 * slice] = k;
      // The header states the functions of the first slice too.
      if (slice === 0) bytes[20] = k;
      sealed(bytes);
      expect([slice, k, isReadByReader(bytes)]).toEqual([slice, k, isPossible]);
    }
  }
});
