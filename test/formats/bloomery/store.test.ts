// A query reads only the segments of its keys from a regular file, but a whole filter from a pipe. In both cases it verifies
// bytes before it uses them.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { unlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WHOLE_RECORD } from '../../../src/engine/input/record-keys.ts';
import { STATE } from '../../../src/engine/store/paged-memory.ts';
import type { Payload } from '../../../src/engine/store/payload.ts';
import { openSegments } from '../../../src/engine/store/shared-segments.ts';
import { WANTED } from '../../../src/engine/tasks/line-style.ts';
import { oneFilter } from '../../../src/engine/tasks/task.ts';
import { openTest } from '../../../src/engine/tasks/test-keys.ts';
import { memorySource } from '../../../src/io/source.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { bitsOf } from '../../engine/alone.ts';
import { loadFilter } from '../../engine/loading.ts';
import { type BitRules, bitsOfKey, hasAll, payloadOf } from '../../reference/bloom-bits.ts';
import { onesIn } from '../../reference/kinds.ts';
import { HEADER, oracleFile, outcome, placed } from './files.ts';
import { openedFilter } from './opened.ts';

const SEGMENTS = 7;
const SHAPE = { ...HEADER, segments: SEGMENTS, bits: SEGMENTS * HEADER.segmentBits, ignoreCase: false };
const SEGMENT_BYTES = SHAPE.segmentBits / 8;
const MEMBERS = Array.from({ length: 300 }, (_, i) => `member ${i}`);
const FILE = oracleFile(SHAPE, MEMBERS);
const bytesOf = (key: string) => new Uint8Array(Buffer.from(key));
const PAYLOAD = payloadOf(MEMBERS.map(bytesOf), SHAPE);

function segmentOf(key: string, rules: BitRules = SHAPE): number {
  return Math.floor((bitsOfKey(bytesOf(key), rules)[0] ?? 0) / rules.segmentBits);
}

/** A copy of the file with a bit of a segment changed. */
function damagedIn(segment: number): Uint8Array {
  const copy = FILE.slice();
  const at = 128 + segment * SEGMENT_BYTES + 5;
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

/** Returns whether a segment is in memory. What is not may have the bytes of an earlier filter. */
function isRead({ states }: Payload, segment: number): boolean {
  return states[segment] === STATE.present;
}

/** Queries a filter as `query` does; returns the answers and the segments that were read. */
async function asked(file: Uint8Array, keys: readonly string[]) {
  const kernel = loadKernel();
  const loaded = await openedFilter(kernel, placed(file));
  const { description, store, close } = loaded;
  const { payload } = store;
  const out: Uint8Array[] = [];
  const task = await openTest(
    { kernel, threadIndex: 0 },
    {
      type: 'test',
      ...oneFilter(store, description.rules),
      selection: { nullTerminated: false, keys: WHOLE_RECORD },
      print: { wanted: WANTED.all, tag: true, named: false, numbered: false, json: false },
      lineBuffered: false,
      bySource: false,
      stopAt: undefined,
    },
    { write: (bytes) => out.push(bytes.slice()) },
  );
  const source = memorySource('keys', bytesOf(keys.map((key) => `${key}\n`).join('')));
  try {
    await task.scan(source, { name: undefined, first: true, turn: undefined });
    task.finish();
  } finally {
    close();
  }
  const lines = Buffer.concat(out).toString().split('\n').slice(0, -1);
  const read = Array.from({ length: SEGMENTS }, (_, i) => i).filter((i) => isRead(payload, i));
  return { answers: lines.map((line) => Number(line.startsWith('+'))), read };
}

const expectedAnswers = (keys: readonly string[]) =>
  keys.map((key) => Number(hasAll(PAYLOAD, bitsOfKey(bytesOf(key), SHAPE))));

test('the fill of the segments is known before any of them is read', async () => {
  const { fills, store, close } = await openedFilter(loadKernel(), placed(FILE));
  const { payload } = store;
  close();
  const fill = fills();
  const ones = fill.map((_, i) => Number(onesIn(PAYLOAD.subarray(i * SEGMENT_BYTES, (i + 1) * SEGMENT_BYTES))));
  expect(fill).toHaveLength(SEGMENTS);
  expect(fill).toEqual(ones.map((set) => ({ ones: set })));
  expect(fill.some((_, i) => isRead(payload, i))).toBe(false);
});

describe('a query', () => {
  test('of a few keys reads only their segments', async () => {
    for (const keys of [['member 1'], ['nobody'], ['member 2', 'member 3', 'nobody else']]) {
      const { answers, read } = await asked(FILE, keys);
      expect(answers).toEqual(expectedAnswers(keys));
      expect(read).toEqual([...new Set(keys.map((key) => segmentOf(key)))].sort());
    }
  });

  test('of many keys has the answers of the oracle', async () => {
    const keys = [...MEMBERS, ...Array.from({ length: 40_000 }, (_, i) => `stranger ${i % 2000}`)];
    const known = new Map([...new Set(keys)].map((key) => [key, expectedAnswers([key])[0]]));
    const { answers, read } = await asked(FILE, keys);
    expect(answers).toEqual(keys.map((key) => known.get(key)));
    expect(read).toHaveLength(SEGMENTS);
  });

  test('is refused if it needs a damaged segment, and otherwise answered', async () => {
    for (const key of MEMBERS.slice(0, 20)) {
      for (let segment = 0; segment < SEGMENTS; segment++) {
        const expected = segment === segmentOf(key) ? 'format' : 'accepted';
        expect(await outcome(asked(damagedIn(segment), [key])), `${key}, segment ${segment}`).toBe(expected);
      }
    }
    expect(await outcome(asked(damagedIn(3), MEMBERS))).toBe('format');
  });

  test('is refused if a segment cannot be read, and the error does not name the input', async () => {
    const kernel = loadKernel();
    const loaded = await openedFilter(kernel, placed(FILE));
    loaded.close();
    const segments = openSegments(loaded.store, kernel, 0);
    expect(() => segments.find(2)).toThrow(expect.objectContaining({ name: 'BloomError', code: 'input' }));
  });
});

/** Loads a filter from a named pipe into which these bytes are written. */
async function loadedFromPipe(bytes: Uint8Array): Promise<Uint8Array> {
  const file = placed(bytes);
  const pipe = `${file}.pipe`;
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', file, pipe], { stdio: 'ignore' });
  const ended = once(writer, 'exit');
  const kernel = loadKernel();
  try {
    const loaded = await loadFilter(kernel, pipe, 1, 'query');
    return bitsOf(openSegments(loaded.store, kernel, 0), loaded.description.shape);
  } finally {
    await ended;
    unlinkSync(pipe);
  }
}

/** A pipe needs a shape that the program makes: if there are several segments, they are large. */
const PIPED = { ...SHAPE, segments: 2, segmentBits: 2 ** 21 + 512, bits: 2 ** 22 + 1024 };
const PIPED_BYTES = PIPED.segmentBits / 8;
const PIPED_FILE = oracleFile(PIPED, MEMBERS);
const PIPED_END = 128 + PIPED.segments * PIPED_BYTES;

/** A copy with one flipped bit. */
function damagedAt(at: number): Uint8Array {
  const copy = PIPED_FILE.slice();
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

describe('from a pipe', () => {
  test('a filter is loaded completely', async () => {
    const payload = PIPED_FILE.subarray(128, PIPED_END);
    expect(Buffer.compare(await loadedFromPipe(PIPED_FILE), payload)).toBe(0);
  });

  test.each([
    ['nothing', PIPED_FILE.subarray(0, 0)],
    ['a part of the header', PIPED_FILE.subarray(0, 127)],
    ['the header alone', PIPED_FILE.subarray(0, 128)],
    ['a part of the segments', PIPED_FILE.subarray(0, 128 + PIPED_BYTES + 1)],
    ['no table', PIPED_FILE.subarray(0, PIPED_END)],
    ['a part of the table', PIPED_FILE.subarray(0, PIPED_FILE.length - 9)],
    ['a part of the seal', PIPED_FILE.subarray(0, PIPED_FILE.length - 1)],
    ['a byte too many', new Uint8Array(Buffer.concat([PIPED_FILE, Uint8Array.of(0)]))],
    ['a damaged first segment', damagedAt(128 + 5)],
    ['a damaged last segment', damagedAt(PIPED_END - 5)],
    ['a damaged table', damagedAt(PIPED_FILE.length - 20)],
  ])('%s is refused', async (_, bytes) => {
    expect(await outcome(loadedFromPipe(bytes))).toBe('format');
  });
});
