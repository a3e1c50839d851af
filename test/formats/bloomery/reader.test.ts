// Files that are read from start to end, by `merge`, or only for their header.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { unlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { HEADER, oracleFile, outcome, placed, readingHeader } from './files.ts';
import { openedFile } from './opened.ts';

const FILE = oracleFile(HEADER, ['a', 'b', 'c', 'd', 'e']);
const kernel = loadKernel();
const address = kernel.reserve(HEADER.segmentBits / 8);

async function readWhole(file: string): Promise<void> {
  const reader = await openedFile(file);
  try {
    for (let i = 0; i < HEADER.segments; i++) await reader.readSegment(kernel, address);
    await reader.finish(kernel);
  } finally {
    reader.close();
  }
}

describe('a file that is longer or shorter than its header states', () => {
  test.each([
    ['a byte too few', FILE.subarray(0, -1)],
    ['a byte too many', Uint8Array.of(...FILE, 0)],
    ['many bytes too many', Uint8Array.of(...FILE, ...FILE)],
    ['nothing but its header', FILE.subarray(0, 128)],
  ])('is refused before more than its header is read: %s', async (_, bytes) => {
    expect(await readingHeader(bytes)).toBe('format');
  });

  test('a file of the stated length is accepted', async () => {
    expect(await readingHeader(FILE)).toBe('accepted');
    expect(await outcome(readWhole(placed(FILE)))).toBe('accepted');
  });
});

describe('of a pipe, whose length is unknown,', () => {
  async function throughPipe(bytes: Uint8Array): Promise<string> {
    const file = placed(bytes);
    const pipe = `${file}.pipe`;
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', file, pipe], { stdio: 'ignore' });
    const ended = once(writer, 'exit');
    const result = await outcome(readWhole(pipe));
    await ended;
    unlinkSync(pipe);
    return result;
  }

  test('the bytes of a filter are read', async () => {
    expect(await throughPipe(FILE)).toBe('accepted');
  });

  test.each([1, 8, 1000])('%d that follow them are refused', async (count) => {
    expect(await throughPipe(Uint8Array.of(...FILE, ...new Uint8Array(count)))).toBe('format');
  });
});
