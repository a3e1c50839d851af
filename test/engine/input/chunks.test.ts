// Inputs are cut into chunks of whole records. Wherever the cuts fall, no record is lost or given twice.

import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createBufferPool } from '../../../src/engine/input/buffer-pool.ts';
import {
  type Beginning,
  beginningOf,
  type Chunk,
  type Cutting,
  chunkBytes,
  chunkSource,
  chunksAfter,
  randomChunksAfter,
} from '../../../src/engine/input/chunks.ts';
import { openRecords } from '../../../src/engine/input/open-records.ts';
import { RANDOM_KEY_BYTES } from '../../../src/engine/input/random-keys.ts';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { type ByteSource, openSource } from '../../../src/io/source.ts';
import { piecewise } from '../../kernel/pieces.ts';
import { inLongRuns } from '../../long.ts';
import { writeNewFile } from '../../new-file.ts';
import { below, createRandom, type Random } from '../../reference/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'bloom-chunks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const name = join(folder, 'input');

const UNTOUCHED = { isCut: true, position: 0, rest: new Uint8Array() };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Reads a source to its end, a random number of bytes at a time. */
async function readAll(source: ByteSource, random: Random, most: number): Promise<string> {
  let all = '';
  for (;;) {
    const into = new Uint8Array(1 + below(random, most));
    const count = source.read(into) ?? (await source.wait(into));
    if (count === 0) return all;
    all += text(into.subarray(0, count));
  }
}

/** Settings for chunks of a length in bytes. `out` has the buffers that were taken and not yet given back. */
function cutting(length: number, terminator = 10): Cutting & { readonly out: ReadonlySet<ArrayBufferLike> } {
  const pool = createBufferPool(length);
  const out = new Set<ArrayBufferLike>();
  const buffers: Cutting['buffers'] = {
    take(wanted) {
      const bytes = pool.take(wanted);
      out.add(bytes.buffer);
      return bytes;
    },
    giveBack(bytes) {
      pool.giveBack(bytes);
      out.delete(bytes.buffer);
    },
  };
  return { ends: { terminator }, length, buffers, out };
}

/**
 * The records of all chunks after a beginning. Each chunk is read and given back some chunks later, as if threads still worked on the
 * chunks before it.
 */
async function chunksOf(source: ByteSource, beginning: Beginning, terminator: string, length: number) {
  const random = createRandom(length);
  const rules = cutting(length, terminator.charCodeAt(0));
  const next = chunksAfter(source, beginning, rules);
  const chunks: string[] = [];
  const handedOut: Chunk[] = [];
  const readFirst = async () => {
    const chunk = handedOut.shift();
    if (chunk === undefined) return;
    const records = await readAll(chunkSource(chunk), random, 5000);
    expect(chunkBytes(chunk)).toBe(records.length);
    chunks.push(records);
    if (chunk.type === 'bytes') rules.buffers.giveBack(chunk.bytes);
  };
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    if (chunk.type === 'range') expect(chunk.to, 'chunks go on').toBeGreaterThan(chunk.from);
    handedOut.push(chunk);
    while (handedOut.length > below(random, 5)) await readFirst();
  }
  while (handedOut.length > 0) await readFirst();
  expect(await next(), 'an end stays one').toBeUndefined();
  expect(rules.out.size, 'all buffers were given back').toBe(0);
  return chunks;
}

function expectWhole(chunks: readonly string[], all: string, terminator: string) {
  expect(chunks.join('') === all, 'the chunks are the input').toBe(true);
  for (const chunk of chunks.slice(0, -1)) expect(chunk.endsWith(terminator)).toBe(true);
}

// The search for the end of a record reads 4096 bytes at a time.
const lineLength = fc.oneof(
  { weight: 5, arbitrary: fc.nat(12) },
  { weight: 1, arbitrary: fc.integer({ min: 4090, max: 4100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 8186, max: 8196 }) },
);
const inputs = fc.record({
  lines: fc.array(lineLength, { maxLength: 60, size: 'max' }),
  terminator: fc.constantFrom('\n', '\0'),
  isEnded: fc.boolean(),
});
const chunkLengths = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 4000, max: 9000 }));
/** When the first reader stops: after this many reads of at most this many bytes. */
const beginnings = fc.record({
  reads: fc.nat(8),
  most: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(9000)),
});

interface Input {
  readonly lines: readonly number[];
  readonly terminator: string;
  readonly isEnded: boolean;
}

function inputOf({ lines, terminator, isEnded }: Input): string {
  // All records differ, so that none can replace another.
  const records = lines.map((length, i) => `${i}:`.repeat(length).slice(0, length));
  return records.join(terminator) + (isEnded && records.length > 0 ? terminator : '');
}

/** Reads the beginning of a source, which must consist of whole records. */
async function begun(source: ByteSource, terminator: string, { reads, most }: { reads: number; most: number }) {
  let left = reads;
  const beginning = beginningOf(source, { terminator: terminator.charCodeAt(0) }, () => left-- <= 0);
  const first = await readAll(beginning.source, createRandom(most), most);
  expect(beginning.position).toBe(first.length);
  if (beginning.isCut) expect(first.endsWith(terminator)).toBe(true);
  return { beginning, first };
}

describe('every byte is handed out once, in chunks that end with a record', () => {
  test('from a pipe', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, chunkLengths, fc.integer({ min: 1, max: 9000 }), async (input, length, most) => {
        const all = inputOf(input);
        const source = piecewise(Buffer.from(all), createRandom(most), { most, blocking: 0.3 });
        expectWhole(await chunksOf(source, { source, ...UNTOUCHED }, input.terminator, length), all, input.terminator);
      }),
      { numRuns: inLongRuns(300, 15), seed: 1 },
    );
  });

  test('from a regular file', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, chunkLengths, async (input, length) => {
        const all = inputOf(input);
        writeNewFile(name, all);
        const source = openSource(name, 'records');
        const chunks = await chunksOf(source, { source, ...UNTOUCHED }, input.terminator, length);
        source.close();
        expectWhole(chunks, all, input.terminator);
      }),
      { numRuns: inLongRuns(300, 15), seed: 2 },
    );
  });

  test('after a beginning that was read before, from a pipe', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, chunkLengths, beginnings, async (input, length, enough) => {
        const all = inputOf(input);
        const source = piecewise(Buffer.from(all), createRandom(enough.most), { most: 5000, blocking: 0.3 });
        const { beginning, first } = await begun(source, input.terminator, enough);
        const rest = beginning.isCut ? await chunksOf(source, beginning, input.terminator, length) : [];
        expect(beginning.isCut || first === all).toBe(true);
        expectWhole([first, ...rest], all, rest.length === 0 ? '' : input.terminator);
      }),
      { numRuns: inLongRuns(300, 15), seed: 3 },
    );
  });

  test('after a beginning that was read before, from a regular file', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, chunkLengths, beginnings, async (input, length, enough) => {
        const all = inputOf(input);
        writeNewFile(name, all);
        const source = openSource(name, 'records');
        const { beginning, first } = await begun(source, input.terminator, enough);
        const rest = beginning.isCut ? await chunksOf(source, beginning, input.terminator, length) : [];
        source.close();
        expect(beginning.isCut || first === all).toBe(true);
        expectWhole([first, ...rest], all, rest.length === 0 ? '' : input.terminator);
      }),
      { numRuns: inLongRuns(300, 15), seed: 4 },
    );
  });

  test('from a regular file, without its byte order mark', async () => {
    await fc.assert(
      fc.asyncProperty(inputs, chunkLengths, fc.option(beginnings), async (input, length, enough) => {
        const all = inputOf(input);
        writeNewFile(name, `\uFEFF${all}`);
        const source = await openRecords(name, { nullTerminated: input.terminator === '\0', keys: WHOLE_RECORD });
        const begins = enough === null ? undefined : await begun(source, input.terminator, enough);
        const beginning = begins?.beginning ?? { source, ...UNTOUCHED };
        const rest = beginning.isCut ? await chunksOf(source, beginning, input.terminator, length) : [];
        source.close();
        const first = begins === undefined ? [] : [begins.first];
        expectWhole([...first, ...rest], all, rest.length === 0 ? '' : input.terminator);
      }),
      { numRuns: inLongRuns(300, 15), seed: 5 },
    );
  });
});

describe('a chunk of a regular file', () => {
  /** The chunks of this text, each of 4 bytes and the rest of the record. */
  async function cut(content: string): Promise<string[]> {
    writeFileSync(name, content);
    const source = openSource(name, 'records');
    const chunks = await chunksOf(source, { source, ...UNTOUCHED }, '\n', 4);
    source.close();
    // The reader looks at the end of the file once more, as the file may have grown.
    return chunks.filter((chunk) => chunk !== '');
  }

  test('ends with a record, or after the next one', async () => {
    expect(await cut('abc\ndef\ngh')).toEqual(['abc\n', 'def\n', 'gh']);
    expect(await cut('abcd\ne\nfgh\n')).toEqual(['abcd\n', 'e\nfgh\n']);
    expect(await cut('ab\ncd\nefghi\n')).toEqual(['ab\ncd\n', 'efghi\n']);
    expect(await cut('no terminator')).toEqual(['no terminator']);
    expect(await cut('\n\n\n\n\n\n')).toEqual(['\n\n\n\n', '\n\n']);
  });

  test('at the end includes appended bytes', async () => {
    writeFileSync(name, 'a\nb\n');
    const source = openSource(name, 'records');
    const next = chunksAfter(source, { source, ...UNTOUCHED }, cutting(100));
    const last = await next();
    appendFileSync(name, 'c\n');
    expect(last && (await readAll(chunkSource(last), createRandom(1), 3))).toBe('a\nb\nc\n');
    expect(await next()).toBeUndefined();
    source.close();
  });

  test('of a file that shrinks has the remaining bytes', async () => {
    writeFileSync(name, 'a\n'.repeat(100));
    const source = openSource(name, 'records');
    const next = chunksAfter(source, { source, ...UNTOUCHED }, cutting(20));
    const first = await next();
    closeSync(openSync(name, 'w'));
    expect(first && (await readAll(chunkSource(first), createRandom(1), 50))).toBe('');
    const last = await next();
    expect(last && chunkBytes(last)).toBe(180);
    expect(await next()).toBeUndefined();
    source.close();
  });
});

test('the records before an error are handed out, and then the error is thrown', async () => {
  const text = 'one\ntwo\nthree\ncut o';
  for (const most of [1, 5, 100]) {
    const whole = piecewise(Buffer.from(text), createRandom(most), { most, blocking: 0.3 });
    let left = text.length;
    const failing = (bytes: number | undefined): number | undefined => {
      if (bytes === 0 || left === 0) throw new Error('broken');
      left -= bytes ?? 0;
      return bytes;
    };
    const source: ByteSource = {
      ...whole,
      read: (into) => failing(whole.read(into)),
      wait: async (into) => failing(await whole.wait(into)) ?? 0,
    };
    const next = chunksAfter(source, { source, ...UNTOUCHED }, cutting(30));
    let all = '';
    const readOn = async () => {
      for (let chunk = await next(); chunk !== undefined; chunk = await next())
        all += await readAll(chunkSource(chunk), createRandom(1), 50);
    };
    await expect(readOn()).rejects.toThrow('broken');
    expect(all).toBe('one\ntwo\nthree\n');
    await expect(readOn()).rejects.toThrow('broken');
  }
});

test('random keys are divided without losing one', async () => {
  const source = piecewise(new Uint8Array(), createRandom(1), { most: 1, blocking: 0 });
  const beginning = { source, isCut: true, position: 30 * RANDOM_KEY_BYTES, rest: new Uint8Array() };
  const next = randomChunksAfter(100, beginning, cutting(1500));
  const chunks: Chunk[] = [];
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    expect(chunkBytes(chunk) % RANDOM_KEY_BYTES).toBe(0);
    chunks.push(chunk);
  }
  const keys = await Promise.all(chunks.map((chunk) => readAll(chunkSource(chunk), createRandom(2), 4000)));
  const lines = keys.join('').trimEnd().split('\n');
  expect(chunks.length).toBe(2);
  expect(lines).toHaveLength(70);
  expect(new Set(lines).size).toBe(70);
});

describe('a record that is too long', () => {
  const LONGEST = 20_000;
  const AT_LIMIT = `${'x'.repeat(LONGEST)}\n`;
  const TOO_LONG = `${'y'.repeat(LONGEST + 1)}\n`;
  const cut = (source: ByteSource, length: number) =>
    chunksAfter(source, { source, ...UNTOUCHED }, { ...cutting(length), longest: LONGEST });
  const dealt = (content: string) => piecewise(Buffer.from(content), createRandom(1), { most: 7000, blocking: 0.3 });

  test('ends the chunks of a pipe, and a shorter record does not', async () => {
    const next = cut(dealt(`a\n${AT_LIMIT}b\n${TOO_LONG}c\n`), 5000);
    let all = '';
    const readOn = async () => {
      for (let chunk = await next(); chunk !== undefined; chunk = await next())
        all += await readAll(chunkSource(chunk), createRandom(1), 5000);
    };
    await expect(readOn()).rejects.toMatchObject({ code: 'input', message: expect.stringContaining('longer than') });
    expect(all).toBe(`a\n${AT_LIMIT}b\n`);
  });

  test('is in the last chunk of a regular file, whose reader notices it', async () => {
    // The search for the end of this record stops some bytes later.
    const far = 'y'.repeat(3 * 2 ** 20);
    writeFileSync(name, `a\n${AT_LIMIT}b\n${far}\nc\n`);
    const source = openSource(name, 'records');
    const next = cut(source, 4);
    const ranges: Chunk[] = [];
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) ranges.push(chunk);
    source.close();
    const begins = 2 + AT_LIMIT.length;
    expect(ranges).toMatchObject([
      { from: 0, to: begins },
      { from: begins, to: Number.POSITIVE_INFINITY },
    ]);
  });
});

describe('digests are not cut', () => {
  const ends = { length: 8 };
  const bytes = Uint8Array.from({ length: 8 * 37 }, (_, i) => i);
  const lengths = fc.record({
    length: fc.integer({ min: 8, max: 100 }),
    reads: fc.nat(5),
    most: fc.integer({ min: 1, max: 50 }),
  });

  /** The bytes of a beginning and of all chunks behind it. Each must have whole digests. */
  async function cutUp(source: ByteSource, { length, reads, most }: { length: number; reads: number; most: number }) {
    let left = reads;
    const beginning = beginningOf(source, ends, () => left-- <= 0);
    const parts = [await readAll(beginning.source, createRandom(most), most)];
    if (beginning.isCut) {
      const next = chunksAfter(source, beginning, { ...cutting(length), ends });
      for (let chunk = await next(); chunk !== undefined; chunk = await next())
        parts.push(await readAll(chunkSource(chunk), createRandom(length), 5000));
    }
    for (const part of parts) expect(part.length % 8).toBe(0);
    expect(parts.join('')).toBe(text(bytes));
  }

  test('of a file', async () => {
    writeNewFile(name, bytes);
    await fc.assert(
      fc.asyncProperty(lengths, async (how) => {
        const source = openSource(name, 'records');
        await cutUp(source, how).finally(() => source.close());
      }),
    );
  });

  test('of a source that can only be read in order', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, (how) =>
        cutUp(piecewise(bytes, createRandom(how.most), { most: how.most, blocking: 0.3 }), how),
      ),
    );
  });

  test('if the last digest is cut off, the error follows the others', async () => {
    const source = piecewise(bytes.subarray(0, 20), createRandom(3), { most: 3, blocking: 0 });
    const next = chunksAfter(source, { source, ...UNTOUCHED }, { ...cutting(64), ends });
    const chunk = await next();
    expect(chunk && chunkBytes(chunk)).toBe(16);
    await expect(next()).rejects.toThrow('its size is not a multiple of 8, the bytes of a digest');
  });
});
