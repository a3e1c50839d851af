import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSegments } from '../../../src/engine/store/shared-segments.ts';
import { BloomError } from '../../../src/errors.ts';
import { HEADER_BYTES, type Header } from '../../../src/formats/bloomery/header.ts';
import { readStored } from '../../../src/formats/stored-segments.ts';
import { loadKernel } from '../../../src/kernel/kernel.ts';
import { SEGMENT_BITS_LIMIT } from '../../../src/sizing/geometry.ts';
import { loadFilter } from '../../engine/loading.ts';
import { writeNewFile } from '../../new-file.ts';
import { payloadOf } from '../../reference/bloom-bits.ts';
import { fileOf, sealHeader } from '../../reference/bloom-file.ts';
import { headerIn, openedFilter } from './opened.ts';

export const HEADER: Header = {
  kind: 1,
  hash: 'xxh64',
  seed: 0xfedcba9876543210n,
  ignoreCase: true,
  trim: false,
  k: 3,
  bits: 3 * 512,
  segments: 3,
  segmentBits: 512,
  capacity: 100,
  targetFpr: 0.05,
  inserted: 123,
};

/** The oracle's file of a filter with this header and these keys. */
export function oracleFile(header: Header, keys: readonly string[]): Uint8Array {
  const payload = payloadOf(
    keys.map((key) => new Uint8Array(Buffer.from(key))),
    header,
  );
  return fileOf({ ...header, payload });
}

/** A copy with a changed header and a correct checksum. */
export function withField(file: Uint8Array, write: (header: DataView) => void): Uint8Array {
  const changed = file.slice();
  write(new DataView(changed.buffer, 0, HEADER_BYTES));
  sealHeader(changed.subarray(0, HEADER_BYTES));
  return changed;
}

let folder: string | undefined;

/** A folder that exists until the current test ends. */
function folderOfTest(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'bloom-format-'));
  folder = made;
  onTestFinished(() => {
    rmSync(made, { recursive: true, force: true });
    folder = undefined;
  });
  return made;
}

const kernel = loadKernel();
const ROOM = kernel.reserve(SEGMENT_BITS_LIMIT / 8);

/** Writes bytes to a file and returns its name. */
export function placed(bytes: Uint8Array, name = 'x.bloom'): string {
  const file = join(folderOfTest(), name);
  writeNewFile(file, bytes);
  return file;
}

/** The outcome of some work: 'accepted' or the code of the error. Each error must say what to do, in a message of one line. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    if (!(error instanceof BloomError)) return `no BloomError: ${error}`;
    return error.hint && !error.message.includes('\n') ? error.code : `nothing says what to do: ${error}`;
  }
}

async function loadWhole(file: string): Promise<void> {
  const loaded = await loadFilter(kernel, file, 1, 'query');
  try {
    const segments = openSegments(loaded.store, kernel, 0);
    for (let i = 0; i < loaded.description.shape.segments; i++) segments.find(i);
  } finally {
    loaded.close();
  }
}

/** The outcome of loading a whole file: 'accepted' or the code of the error. */
export function loading(bytes: Uint8Array): Promise<string> {
  return outcome(loadWhole(placed(bytes)));
}

async function readAll(file: string): Promise<void> {
  const { store, close } = await openedFilter(kernel, file);
  const { stored } = store;
  if (stored === undefined) throw new Error(`${file} was loaded whole`);
  try {
    for (let i = 0; i < stored.count; i++) readStored(stored, i, kernel, ROOM);
  } finally {
    close();
  }
}

/** The outcome of reading all segments of a file without making a filter, which would take longer. */
export function reading(bytes: Uint8Array): Promise<string> {
  return outcome(readAll(placed(bytes)));
}

/** The outcome of reading only the header of a file. */
export function readingHeader(bytes: Uint8Array): Promise<string> {
  return outcome(headerIn(placed(bytes)));
}
