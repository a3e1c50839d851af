// The header reader for browsers accepts what the engine accepts, whatever the numbers of a header are.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
];

/** The flags that the reader obeys: ignore-case, trim, part, note, tags, origin and domain names. */
const KNOWN_FLAGS = 1 | 2 | 4 | 8 | 16 | 32 | 256;

/** Values that are next to limits. */
const BYTES = [0, 1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 127, 128, 255];

test.each(FLAGS)('%s %s %s %s', async (...flags) => {
  await within(['build', ...flags, fixture('words.txt'), '-o', 'f.bloom', '--force']);
  const file = Uint8Array.from(readFileSync(path('f.bloom'))).subarray(0, 128);
  const random = createRandom(flags.length);
  let accepted = 0;
  const rounds = inLongRuns(4000, 500);
  for (let round = 0; round < rounds; round++) {
    const bytes = file.slice();
    for (let change = below(random, 3); change >= 0; change--)
      bytes[8 + below(random, 112)] = BYTES[below(random, BYTES.length)] ?? 0;
    new DataView(bytes.buffer).setBigUint64(120, xxh64(bytes.subarray(0, 120), 0n), true);
    const isAccepted = await decodeHeader(bytes, 'f', (bytes) => xxh64(bytes, 0n))
      .then((header) => {
        const description = descriptionOf(header, 'f');
        requireShape(description, 'f');
        // Other rules of keys are refused.
        return (new DataView(bytes.buffer).getUint32(16, true) & ~KNOWN_FLAGS) === 0;
      })
      .catch(() => false);
    let isRead = true;
    try {
      headerIn(bytes, 'f');
    } catch {
      isRead = false;
    }
    expect(isRead, Buffer.from(bytes).toString('hex')).toBe(isAccepted);
    accepted += isAccepted ? 1 : 0;
  }
  expect(accepted).toBeGreaterThan(rounds / 100);
});
