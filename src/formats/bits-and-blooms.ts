import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { type FlatShape, PROBES_LIMIT } from '../filters/position-rules.ts';
import { putBack } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import { type ByteSource, memorySource, readWhole } from '../io/source.ts';
import { BITS_AND_BLOOMS_SIZING } from '../sizing/systems/bits-and-blooms.ts';
import { decodeJson, isJson } from './bits-and-blooms-json.ts';
import type { FlatDraft } from './flat-draft.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { GOB_SIGNATURES, isGob, readGobStart } from './gob.ts';
import { type Headed, headedDraft, headedMerging, requireWords } from './headed-draft.ts';
import { BYTES } from './key-types.ts';

const HEADER_BYTES = 24;

/** No file has so many bits: a number that is larger was meant otherwise. */
const LENGTH_LIMIT = 2n ** 48n;

/**
 * What `WriteTo` of bits-and-blooms writes, big-endian: u64 m, u64 k, u64 bits that there are, and the words of 8 bytes. After
 * `bitset.LittleEndian()` the bits and their number are little-endian. gob puts a few bytes before it, and JSON has it as text.
 */
export const bitsAndBlooms: Format = {
  name: 'bits-and-blooms',
  system: 'bits-and-blooms',
  purpose: 'programs in Go with bits-and-blooms',
  signatures: GOB_SIGNATURES,
  fits(head, size) {
    if (isJson(head, size)) return true;
    const { m, k, stored } = fieldsOf(head, size);
    if (k === 0n || stored === undefined) return false;
    if (size !== undefined) return k < 2n ** 32n;
    return k <= PROBES_LIMIT && m < LENGTH_LIMIT && mayLack(Number(m) - Number(stored.length));
  },
  abilities: ['ask', 'report', 'build', 'change', 'merge'],
  keyTypes: BYTES,
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + bitBytes(bits),
  open,
  makings: [
    {
      name: 'bits-and-blooms',
      purpose: 'files for programs in Go with bits-and-blooms',
      sizing: BITS_AND_BLOOMS_SIZING,
      async draft({ k, bits }) {
        requireWords(BITS_AND_BLOOMS_SIZING, bits, 2 ** 34);
        return newDraft(bits, k, 'be64');
      },
    },
  ],
};

const bitBytes = (bits: number) => 8 * Math.ceil(bits / 64);

/** Whether so many bits may be missing: words are added when a bit of them is set. No memory is taken for many more. */
const mayLack = (bits: number) => bits <= 2 ** 23;

/** Of a file of this length, or of one that nobody knows; `stored` is undefined where no number of bits can be that of the file. */
function fieldsOf(head: DataView, size: number | undefined) {
  const m = head.getBigUint64(0);
  const lengths = [
    { order: 'be64', length: head.getBigUint64(16) },
    { order: 'bytes', length: head.getBigUint64(16, true) },
  ] as const;
  const stored =
    size === undefined
      ? (lengths.find(({ length }) => length === m) ?? lengths.find(({ length }) => length < LENGTH_LIMIT))
      : lengths.find(({ length }) => size === HEADER_BYTES + bitBytes(Number(length)));
  return { m, k: head.getBigUint64(8), stored };
}

async function open(source: ByteSource): Promise<FlatFile> {
  const name = displayName(source.name);
  const head = await readHead(source, name, HEADER_BYTES);
  const begun = new Uint8Array(head.buffer);
  if (isBrace(begun)) return openJson(putBack(begun, source), name);
  if (!isGob(begun)) return openAt(0, head, source, name);
  const whole = putBack(begun, source);
  const start = await readGobStart(whole, name);
  return openAt(start, await readHead(whole, name, HEADER_BYTES), whole, name);
}

/** Whether a file begins as JSON: no number of bits does. */
function isBrace(begun: Uint8Array): boolean {
  return Buffer.from(begun).toString('latin1').trimStart().startsWith('{');
}

/** Opens a filter in JSON, which is only asked: whoever changes it wants to have JSON again. */
async function openJson(source: ByteSource, name: string): Promise<FlatFile> {
  const text = await readWhole(source);
  const written = memorySource(source.name, decodeJson(text, name));
  const { draft, ...opened } = openAt(0, await readHead(written, name, HEADER_BYTES), written, name);
  return { ...opened, description: { ...opened.description, bytes: text.length }, close: () => source.close() };
}

/** Opens a filter that begins at byte `start` of a file, and whose head was read. */
function openAt(start: number, head: DataView, source: ByteSource, name: string): FlatFile {
  const { size } = source;
  const fields = fieldsOf(head, size === undefined ? undefined : size - start);
  const { m, k, stored = { order: 'be64', length: head.getBigUint64(16) } } = fields;
  requireProbes(name, m, k);
  const bits = Number(m);
  const bytes = bitBytes(Number(stored.length));
  if (!mayLack(bits - 8 * bytes)) throw damaged(name, `its header gives ${bits} bits, of which it has ${8 * bytes}`);
  const known = headed(bits, Number(k), stored.order);
  const like = () => newDraft(bits, Number(k), stored.order);
  return flatFile(source, {
    name,
    ...known,
    offset: start + HEADER_BYTES,
    bytes,
    mayHaveMore: false,
    // What gob has put before it says how long it is: that it is encoded is nothing that can be changed where it lies.
    draft: start === 0 ? like() : undefined,
    like,
    merging: headedMerging(newHeaded(bits, Number(k), stored.order), { 'order of bytes': stored.order }),
  });
}

/** An empty filter: of bits that are missing in a file there are all then. */
function newDraft(bits: number, k: number, order: FlatShape['order']): FlatDraft {
  return headedDraft(newHeaded(bits, k, order));
}

function newHeaded(bits: number, k: number, order: FlatShape['order']): Headed {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setBigUint64(0, BigInt(bits));
  head.setBigUint64(8, BigInt(k));
  head.setBigUint64(16, BigInt(bits), order === 'bytes');
  return { head: new Uint8Array(head.buffer), ...headed(bits, k, order), bytes: bitBytes(bits) };
}

function headed(bits: number, k: number, order: FlatShape['order']): Pick<Headed, 'description' | 'array'> {
  return {
    description: {
      format: bitsAndBlooms,
      kind: bloom,
      shape: { bits, segments: 1, segmentBits: bits, k },
      rules: { hash: 'murmur3-256', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k, rule: 'bits-and-blooms', order },
  };
}
