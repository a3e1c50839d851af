// Files of other systems from a pipe: their bits are read in pieces of any size, one array after the other.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { BitArrayFile } from '../../src/formats/format.ts';
import { formatNamed } from '../../src/formats/registry.ts';
import { type ByteSource, memorySource } from '../../src/io/source.ts';
import { usedKernel } from '../kernel/kernels.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/formats', import.meta.url));

/** Files that can be read in order. Of the systems whose files do not show their version, the name ends with the variant. */
const FILES = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: system }) =>
    readdirSync(join(FIXTURES, system))
      .filter((file) => !/[.](answers|gz)$/.test(file))
      .map((file) => ({ system, file })),
  );

/** A pipe: each read gives at most this many bytes. */
function pipe(bytes: Uint8Array, most: number): ByteSource {
  const { read, wait, ...source } = memorySource('x', bytes);
  return {
    ...source,
    size: undefined,
    read: (into) => read(into.subarray(0, most)),
    wait: (into) => wait(into.subarray(0, most)),
  };
}

/** The filter in a file that is read in order; undefined if it needs any position, or is not one of arrays. */
async function opened(
  system: string,
  file: string,
  bytes: Uint8Array,
  most: number,
): Promise<BitArrayFile | undefined> {
  const format = formatNamed(system);
  const variant = format.variants?.find(({ name }) => file.endsWith(`.${name}`))?.name;
  try {
    const found = await format.open(pipe(bytes, most), usedKernel(), { format: variant ?? system });
    return found.layout === 'arrays' && found.inOrder !== undefined ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The bits of each array, read in pieces of these sizes in turn. */
async function bitsOf({ arrays, inOrder }: BitArrayFile, pieces: readonly number[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  let turn = 0;
  for (const [i, { bytes }] of arrays.entries()) {
    const bits = new Uint8Array(bytes);
    for (let at = 0; at < bytes; ) {
      const length = Math.min(bytes - at, pieces[turn++ % pieces.length] ?? 1);
      await inOrder?.readBits(i, bits.subarray(at, at + length));
      at += length;
    }
    found.push(bits);
  }
  await inOrder?.finish();
  return found;
}

/** Files that are still complete without their last bytes: data behind a filter, and a line end. */
const ENDS_FREELY = ['with-data.bloom', 'block.hex'];

let tried = 0;

test.each(FILES)('$system/$file', async ({ system, file }) => {
  const bytes = new Uint8Array(readFileSync(join(FIXTURES, system, file)));
  const whole = await opened(system, file, bytes, bytes.length);
  if (whole === undefined) return;
  tried++;
  const expected = await bitsOf(whole, [bytes.length]);
  for (const pieces of [[1, 7, 64], [5000, 1], [8192]]) {
    const again = await opened(system, file, bytes, 1000);
    if (again === undefined) throw new Error('it was opened before');
    const found = await bitsOf(again, pieces);
    expect(found.map((bits) => Buffer.from(bits).equals(expected[found.indexOf(bits)] ?? Buffer.of()))).toEqual(
      expected.map(() => true),
    );
  }
  if (ENDS_FREELY.includes(file)) return;
  // A file that ends early is refused when it is opened or read.
  for (const changed of [bytes.subarray(0, -1), bytes.subarray(0, bytes.length / 2)]) {
    const cut = await opened(system, file, changed, 1000);
    if (cut !== undefined) await expect(bitsOf(cut, [64])).rejects.toMatchObject({ code: 'format' });
  }
});

test('most systems have such files', () => expect(tried).toBeGreaterThan(20));
