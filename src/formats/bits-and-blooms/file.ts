import { damaged } from '../../errors.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { bloomBy } from '../../filters/stepped.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, memorySource, readWhole } from '../../io/source.ts';
import { BITS_AND_BLOOMS_SIZING } from '../../sizing/systems/bits-and-blooms.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { fileOfArray, readHead, requireProbes } from '../bit-array-file.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedMerging, requireWords } from '../headed-blueprint.ts';
import { isGob, readGobStart } from './gob.ts';
import { bitBytes, fieldsOf, HEADER_BYTES, mayLack } from './head.ts';
import { decodeJson } from './json.ts';

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const begun = new Uint8Array(head.buffer);
  if (isBrace(begun)) return openJson(putBack(begun, source), name, format);
  if (!isGob(begun)) return openAt(0, head, source, name, format);
  const whole = putBack(begun, source);
  const start = await readGobStart(whole, name);
  const opened = openAt(start, await readHead(whole, name, HEADER_BYTES), whole, name, format);
  return { ...opened, fixedAs: 'it is a stream of encoding/gob' };
}

/** Whether a file begins as JSON. No number of bits begins with a brace. */
function isBrace(begun: Uint8Array): boolean {
  return Buffer.from(begun).toString('latin1').trimStart().startsWith('{');
}

/** Opens a filter in JSON. It can only be queried, because a changed filter would have to be JSON again. */
async function openJson(source: ByteSource, name: string, format: Format): Promise<BitArrayFile> {
  const text = await readWhole(source);
  const written = memorySource(source.name, decodeJson(text, name));
  const { blueprint, ...opened } = openAt(0, await readHead(written, name, HEADER_BYTES), written, name, format);
  const description = { ...opened.description, bytes: text.length };
  return { ...opened, fixedAs: 'it is JSON', description, close: () => source.close() };
}

/** Opens a filter that begins at byte `start` of a file, and whose head was read. */
function openAt(start: number, head: DataView, source: ByteSource, name: string, format: Format): BitArrayFile {
  const { size } = source;
  const fields = fieldsOf(head, size === undefined ? undefined : size - start);
  const { m, k, stored = { order: 'be64', length: head.getBigUint64(16) } } = fields;
  requireProbes(name, m, k);
  const bits = Number(m);
  const bytes = bitBytes(Number(stored.length));
  if (!mayLack(bits - 8 * bytes)) throw damaged(name, `its header states ${bits} bits, but the file has ${8 * bytes}`);
  const empty = newHeaded(format, bits, Number(k), stored.order);
  const { description, array } = empty;
  const like = () => headedBlueprint(empty);
  return fileOfArray(source, {
    name,
    description,
    array,
    offset: start + HEADER_BYTES,
    bytes,
    mayHaveMore: false,
    // gob states the length before the filter, so a filter in gob cannot be changed in place.
    blueprint: start === 0 ? like() : undefined,
    like,
    merging: headedMerging(empty, { 'byte order': stored.order }),
  });
}

/** An empty filter. Throws a `usage` error for a size that a file cannot state. */
export function newBlueprint({ k, bits }: SystemPlan, format: Format): ArrayBlueprint {
  requireWords(BITS_AND_BLOOMS_SIZING, bits, 2 ** 34);
  return headedBlueprint(newHeaded(format, bits, k, 'be64'));
}

/** An empty filter. It has all bits, also those that a file omits. */
function newHeaded(format: Format, bits: number, k: number, order: BitArrayShape['order']): Headed {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setBigUint64(0, BigInt(bits));
  head.setBigUint64(8, BigInt(k));
  head.setBigUint64(16, BigInt(bits), order === 'bytes');
  return {
    head: new Uint8Array(head.buffer),
    bytes: bitBytes(bits),
    description: {
      format,
      kind: bloomBy('bits-and-blooms'),
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'murmur3-256', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule: 'bits-and-blooms', order },
  };
}
