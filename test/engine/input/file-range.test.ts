// Files are cut into slices. Whatever the cut, each record is in exactly one slice: the slice with its first byte.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createBufferPool } from '../../../src/engine/input/buffer-pool.ts';
import { chunkSource, chunksAfter } from '../../../src/engine/input/chunks.ts';
import { openRange, rangeBytes, rangesIn } from '../../../src/engine/input/file-range.ts';
import type { KeySelection } from '../../../src/engine/input/key-selection.ts';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { type ByteSource, readWhole } from '../../../src/io/source.ts';
import { inLongRuns } from '../../long.ts';
import { writeNewFile } from '../../new-file.ts';
import { splitRaw } from '../../reference/records.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-slices-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The records of each slice. The slice of a record follows from the position of its first byte in all files. */
function modelOf(files: readonly Buffer[], of: number, nullTerminated: boolean): string[] {
  const total = Buffer.concat([...files]).length;
  const slices = Array.from({ length: of }, () => '');
  let position = 0;
  for (const file of files)
    for (const record of splitRaw(file, { nullTerminated, keys: WHOLE_RECORD })) {
      // The last slice that begins there or before. All lengths are small numbers.
      let slice = of - 1;
      while (Math.floor((slice * total) / of) > position) slice--;
      slices[slice] += Buffer.from(record).toString('latin1');
      position += record.length;
    }
  return slices;
}

/** The same bytes as threads get them. */
async function inChunks(source: ByteSource, length: number, terminator: number): Promise<string> {
  const beginning = { source, isCut: true, position: 0, rest: new Uint8Array() };
  const next = chunksAfter(source, beginning, { ends: { terminator }, length, buffers: createBufferPool(length) });
  let all = '';
  for (let chunk = await next(); chunk !== undefined; chunk = await next())
    all += Buffer.from(await readWhole(chunkSource(chunk))).toString('latin1');
  return all;
}

/** The bytes of each slice, read at once and in chunks. */
async function slicesOf(names: readonly string[], of: number, selection: KeySelection, chunk: number) {
  const slices: string[] = [];
  for (let number = 1; number <= of; number++) {
    let [slice, chunks] = ['', ''];
    for (const range of rangesIn(names, { number, of }, selection)) {
      expect(rangeBytes(range)).toBeGreaterThan(0);
      const [one, another] = [await openRange(range, selection), await openRange(range, selection)];
      slice += Buffer.from(await readWhole(one)).toString('latin1');
      chunks += await inChunks(another, chunk, selection.nullTerminated ? 0 : 10);
      one.close();
      another.close();
    }
    expect(chunks).toBe(slice);
    slices.push(slice);
  }
  return slices;
}

function written(files: readonly Buffer[]): string[] {
  return files.map((bytes, i) => {
    const name = join(folder, `file${i}`);
    writeNewFile(name, bytes);
    return name;
  });
}

/** All parts and ends of records, and runs as long as one read of a search. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\0', 'a', 'bc', '\n\n') },
      { weight: 1, arbitrary: fc.integer({ min: 4090, max: 4100 }).map((length) => 'x'.repeat(length)) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.from(parts.join('')));

test('each record is in exactly one slice, for all files and cuts', async () => {
  const cuts = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 60 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(bytes, { minLength: 1, maxLength: 5 }),
      cuts,
      fc.boolean(),
      fc.integer({ min: 1, max: 5000 }),
      async (files, of, nullTerminated, chunk) => {
        const selection = { raw: true, nullTerminated, keys: WHOLE_RECORD };
        const slices = await slicesOf(written(files), of, selection, chunk);
        expect(slices).toEqual(modelOf(files, of, nullTerminated));
      },
    ),
    { numRuns: inLongRuns(500, 15) },
  );
});

describe('the first record of a file', () => {
  test.each(['\uFEFFone\r\ntwo\n', '\uFEFF', '\uFEFF\n', '\uFEFFone'])(
    'has no byte order mark of UTF-8: %j',
    async (text) => {
      const selection = { nullTerminated: false, keys: WHOLE_RECORD };
      const names = written([Buffer.from(text), Buffer.from('last')]);
      for (let of = 1; of <= 20; of++) {
        const all = (await slicesOf(names, of, selection, 3)).join('');
        expect(all).toBe(`${text.slice(1)}last`);
      }
    },
  );
});

test('records longer than one search are found, and sizes beyond 2^53 / N are cut correctly', async () => {
  const long = 'y'.repeat(3 * 2 ** 20);
  const names = written([Buffer.from(`a\n${long}\nb\n`)]);
  const selection = { nullTerminated: false, keys: WHOLE_RECORD };
  expect(await slicesOf(names, 4, selection, 2 ** 20)).toEqual([`a\n${long}\n`, '', '', 'b\n']);
  const of = Number.MAX_SAFE_INTEGER;
  expect(rangesIn(names, { number: 1, of }, selection)).toEqual([]);
  expect(rangesIn(names, { number: of, of }, selection)).toEqual([
    { file: names[0], from: long.length + 4, to: Number.POSITIVE_INFINITY },
  ]);
});
