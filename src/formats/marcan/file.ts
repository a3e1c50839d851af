import { damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readFully } from '../../io/source.ts';
import { marcanBytes } from '../../sizing/systems/marcan.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { readHead, requireProbes } from '../bit-array-file.ts';
import type { KeyRules } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedFile } from '../headed-blueprint.ts';

/** Offset of the bits in new files. */
const OFFSET = 16_384;

/** The largest offset of the bits. The line states it, and NULs fill the space before the bits. */
const OFFSET_LIMIT = 2 ** 20;
const LEAST_OFFSET = 73;
const NEWLINE = '\n';

/**
 * The largest plausible number of positions per key, and the largest number of bits, which the kernel can divide by.
 */
const K_LIMIT = 1024;
const BITS_LIMIT = 2 ** 40;

/** The fields of the line. */
interface Line {
  readonly m: number;
  readonly k: number;
  readonly offset: number;
  readonly size: number;
  readonly threshold: number;
}

/** A filter of a plan, without keys. */
export function newBlueprint({ bits, k }: SystemPlan, format: Format): ArrayBlueprint {
  return headedBlueprint(headed(format, lineOf(bits, k)));
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const { line, length, begun } = await readLine(source, name);
  const { m, k, offset, size } = line;
  requireProbes(name, m, k);
  const isPossible = k <= K_LIMIT && m <= BITS_LIMIT && offset >= length && offset <= OFFSET_LIMIT;
  if (!isPossible || size < Math.ceil(m / 8) || size > m / 8 + OFFSET_LIMIT)
    throw damaged(name, 'its first line does not describe a filter');
  const whole = putBack(begun, source);
  const head = new Uint8Array(offset);
  if ((await readFully(whole, head)) < offset) throw damaged(name, 'it ends before its bits');
  return headedFile(whole, name, headed(format, line, head), { threshold: line.threshold });
}

/**
 * The line of a new filter. The threshold is 2^16 times the next power of two of m: smaller numbers give no further
 * position.
 */
function lineOf(m: number, k: number): Line {
  let threshold = 2 ** 16;
  while (threshold < 2 ** 16 * m) threshold *= 2;
  return { m, k, offset: OFFSET, size: marcanBytes(m), threshold };
}

/** A filter with a head, by default that of a new file. */
function headed(format: Format, line: Line, head: Uint8Array = headOf(line)): Headed {
  const { m, k, size } = line;
  return {
    head,
    description: {
      format,
      kind: bloomStructure,
      shape: { bits: m, segments: 1, segmentBits: m, k },
      rules: rulesOf(line),
      target: undefined,
      inserted: undefined,
    },
    array: { bits: m, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } },
    bytes: size,
  };
}

/** The line as Python's `json.dumps` prints it, and NULs. */
function headOf({ m, k, offset, size, threshold }: Line): Uint8Array {
  const head = new Uint8Array(offset);
  const fields = Object.entries({ m, k, offset, size, threshold }).map(([name, value]) => `"${name}": ${value}`);
  head.set(Buffer.from(`{${fields.join(', ')}}\n`));
  return head;
}

/**
 * The fields of the first line, its length, and all bytes that were read to find its end. Throws a `format` error if
 * it has no end.
 */
async function readLine(source: ByteSource, name: string): Promise<{ line: Line; length: number; begun: Uint8Array }> {
  let begun = Buffer.from((await readHead(source, name, LEAST_OFFSET)).buffer);
  let end = begun.indexOf(NEWLINE);
  while (end < 0) {
    const { length } = begun;
    if (length >= OFFSET_LIMIT) throw damaged(name, 'its first line has no end');
    // Each step doubles the bytes and searches only the new ones, so the work is linear.
    const more = Buffer.alloc(length);
    const count = await readFully(source, more);
    if (count === 0) throw damaged(name, 'it ends within its first line');
    begun = Buffer.concat([begun, more.subarray(0, count)]);
    end = begun.indexOf(NEWLINE, length);
  }
  return { line: parsed(begun.toString('latin1', 0, end), name), length: end + 1, begun };
}

function parsed(text: string, name: string): Line {
  let value: Record<string, unknown> = {};
  try {
    value = JSON.parse(text);
  } catch {
    // The line is not JSON, so it has none of the fields.
  }
  const number = (key: keyof Line) => {
    const stated = value[key];
    if (typeof stated === 'number' && Number.isSafeInteger(stated) && stated >= 0) return stated;
    throw damaged(name, `its first line has no ${key}`);
  };
  return {
    m: number('m'),
    k: number('k'),
    offset: number('offset'),
    size: number('size'),
    threshold: number('threshold'),
  };
}

/** How many positions a number of 128 bits gives by division by m before it is too small. */
function positionsEach(m: number, k: number, threshold: number): number {
  let left = 2n ** 128n;
  for (let positions = 1; positions < k; positions++) {
    left /= BigInt(m);
    if (left < BigInt(threshold)) return positions;
  }
  return k;
}

function rulesOf({ m, k, threshold }: Line): KeyRules {
  const parameters = [k, m, positionsEach(m, k, threshold)].map(BigInt);
  return { hash: 'md5-pieces', seed: 0n, parameters, words: k, ignoreCase: false, trim: false };
}
