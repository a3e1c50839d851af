// What an input is, however its first bytes arrive: the first few alone may not tell.

import { expect, test } from 'vitest';
import { compressionOf, mayBeCompressed } from '../../src/io/compression.ts';
import { alternatesWithNul, mayAlternateWithNul } from '../../src/io/encoding.ts';
import { putBack, takeHead } from '../../src/io/head.ts';
import { readWhole } from '../../src/io/source.ts';
import { piecewise } from '../kernel/pieces.ts';
import { createRandom } from '../reference/random.ts';

const isUndecided = (head: Uint8Array) => mayBeCompressed(head) || mayAlternateWithNul(head);

/** Bytes that come one at a time, with pauses. */
function slowly(bytes: Uint8Array) {
  return piecewise(bytes, createRandom(1), { most: 1, blocking: 0.5 });
}

// The magic numbers: RFC 1952, RFC 8878 (a frame, and one to skip), the formats of xz and LZ4, and bzip2's. bzip2 has digits of pi, or
// of its square root if the stream is empty.
test.each([
  ['gzip', '1f8b0800'],
  ['zstd', '28b52ffd24'],
  ['zstd', '502a4d1804000000'],
  ['zstd', '5f2a4d1804000000'],
  ['xz', 'fd377a585a000004'],
  ['bzip2', '425a6839314159265359'],
  ['bzip2', '425a683117724538509000000000'],
  ['lz4', '04224d186440'],
  ['lz4', '02214c18'],
  [undefined, '1f8b0900'],
  [undefined, '425a6839314159265300'],
  [undefined, '602a4d18'],
  [undefined, '28b52f0a'],
])('%s is recognised by %s', async (name, hex) => {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
  const source = slowly(bytes);
  const head = await takeHead(source, isUndecided);
  expect(compressionOf(head)?.name).toBe(name);
  expect(await readWhole(putBack(head, source))).toEqual(Buffer.from(bytes));
});

test('UTF-16 is recognised by four characters', async () => {
  for (const bytes of [Buffer.from('walk', 'utf16le'), Buffer.from('walk', 'utf16le').swap16()]) {
    // A first byte alone gets an answer, as it may be an empty line.
    const [first, ...rest] = bytes;
    const head = await takeHead(
      putBack(Uint8Array.of(first ?? 0, rest[0] ?? 0), slowly(Uint8Array.from(rest.slice(1)))),
      isUndecided,
    );
    expect(alternatesWithNul(head)).toBe(true);
    expect(alternatesWithNul(head.subarray(0, 7))).toBe(false);
  }
  expect(mayAlternateWithNul(Uint8Array.of(10))).toBe(false);
});

test('a head is no longer than necessary, so a pipe is answered as it arrives', async () => {
  expect(Buffer.from(await takeHead(slowly(Buffer.from('ab')), isUndecided)).toString()).toBe('a');
  expect(Buffer.from(await takeHead(slowly(Buffer.from('BZ\n')), isUndecided)).toString()).toBe('BZ\n');
});
