import { damaged } from '../errors.ts';
import { bloom } from '../filters/bloom.ts';
import { PROBES_LIMIT } from '../filters/position-rules.ts';
import { putBack } from '../io/head.ts';
import { displayName } from '../io/look.ts';
import type { ByteSource } from '../io/source.ts';
import { flatFile, readHead, requireProbes } from './flat-file.ts';
import type { FlatFile, Format } from './format.ts';
import { GOB_SIGNATURES, isGob, readGobStart } from './gob.ts';
import { BYTES } from './key-types.ts';

const HEADER_BYTES = 24;

/** No file has so many bits: a number that is larger was meant otherwise. */
const LENGTH_LIMIT = 2n ** 48n;

/**
 * What `WriteTo` of bits-and-blooms writes, big-endian: u64 m, u64 k, u64 bits that there are, and the words of 8 bytes. After
 * `bitset.LittleEndian()` the bits and their number are little-endian. gob puts a few bytes before it.
 */
export const bitsAndBlooms: Format = {
  name: 'bits-and-blooms',
  system: 'bits-and-blooms',
  purpose: 'programs in Go with bits-and-blooms',
  signatures: GOB_SIGNATURES,
  fits(head, size) {
    const { m, k, stored } = fieldsOf(head, size);
    if (k === 0n || stored === undefined) return false;
    if (size !== undefined) return k < 2n ** 32n;
    return k <= PROBES_LIMIT && m < LENGTH_LIMIT && mayLack(Number(m) - Number(stored.length));
  },
  abilities: ['ask', 'report'],
  keyTypes: BYTES,
  integrity: undefined,
  fileBytes: ({ bits }) => HEADER_BYTES + bitBytes(bits),
  open,
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
  if (!isGob(begun)) return openAt(0, head, source, name);
  const whole = putBack(begun, source);
  const start = await readGobStart(whole, name);
  return openAt(start, await readHead(whole, name, HEADER_BYTES), whole, name);
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
  const shape = { bits, segments: 1, segmentBits: bits, k: Number(k) };
  return flatFile(source, {
    name,
    description: {
      format: bitsAndBlooms,
      kind: bloom,
      shape,
      rules: { hash: 'murmur3-256', seed: 0n, ignoreCase: false, trim: false },
      target: undefined,
      inserted: undefined,
    },
    array: { bits, k: shape.k, rule: 'bits-and-blooms', order: stored.order },
    offset: start + HEADER_BYTES,
    bytes,
    mayHaveMore: false,
  });
}
