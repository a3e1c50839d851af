import { damaged } from '../../errors.ts';
import { bloomStructure } from '../../filters/bloom.ts';
import { linked, linkedShape, linkShape } from '../../filters/linked.ts';
import type { BitArrayShape } from '../../filters/position-rules.ts';
import { toBase64 } from '../../io/conversion.ts';
import { putBack } from '../../io/head.ts';
import { displayName } from '../../io/look.ts';
import { type ByteSource, readWhole } from '../../io/source.ts';
import { HADOOP_SIZING } from '../../sizing/systems/hudi.ts';
import type { SystemPlan } from '../../sizing/systems/system.ts';
import type { ArrayBlueprint } from '../array-blueprint.ts';
import { readHead, requireProbes } from '../bit-array-file.ts';
import type { Description, KeyRules } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { type Headed, headedBlueprint, headedMerging, requireWords } from '../headed-blueprint.ts';
import { inMemory, type PlacedArray, type WholeFile, wholeFile } from '../whole-file.ts';
import { bytesOf, fieldsOf, HASHES, HEADER_BYTES, isHeader, isText } from './head.ts';
import { areBitsAndLists, areCounters, bitsOfCounters, counterBytes, isRetouched } from './relatives.ts';

const DYNAMIC_BYTES = HEADER_BYTES + 12;

const TELLING_BYTES = 6;

/** Bytes of a row's header that cannot be bits: the version and k. */
const TELLING_ROW_BYTES = 8;

const MURMUR = 1;

/** Bytes of bits that are enough to tell bits from counters. */
const SAMPLE_BYTES = 2 ** 14;

/** An empty filter, in base64 if that is wanted. Throws a `usage` error for a size that a file cannot state. */
export function newBlueprint({ k, bits }: SystemPlan, format: Format, isBase64 = false): ArrayBlueprint {
  requireWords(HADOOP_SIZING, bits, 2 ** 25 - 1);
  return headedBlueprint(headed(format, { k, hash: MURMUR, m: bits }, isBase64));
}

/** A filter that is not dynamic. */
function headed(format: Format, { k, hash, m }: { k: number; hash: number; m: number }, isBase64: boolean): Headed {
  const head = new DataView(new ArrayBuffer(HEADER_BYTES));
  head.setInt32(0, -1);
  head.setInt32(4, k);
  head.setUint8(8, hash);
  head.setInt32(9, m);
  const { shape, rules } = hashedBy(k, HASHES[hash] ?? HASHES[MURMUR], m);
  const bytes = Math.ceil(m / 8);
  const size = HEADER_BYTES + bytes;
  return {
    head: new Uint8Array(head.buffer),
    description: {
      format,
      kind: bloomStructure,
      shape: linkShape(shape),
      rules,
      target: undefined,
      inserted: undefined,
      bytes: isBase64 ? 4 * Math.ceil(size / 3) : size,
    },
    array: shape,
    bytes,
    convert: isBase64 ? toBase64 : undefined,
  };
}

function hashedBy(k: number, hash: (typeof HASHES)[number], m: number): Pick<HadoopFilter, 'shape' | 'rules'> {
  return {
    shape: { bits: m, k, rule: 'hashed', order: 'bytes', digest: { words: k, first: 0 } },
    rules: { hash, seed: 0n, parameters: [k, m].map(BigInt), words: k, ignoreCase: false, trim: false },
  };
}

/** How a `BloomFilter` is changed and merged. Its relatives cannot be changed. */
function changing(
  whole: WholeFile,
  format: Format,
  sort: HadoopFilter['sort'],
  isBase64: boolean,
): Pick<BitArrayFile, 'blueprint' | 'like' | 'merging' | 'fixedAs'> {
  if (sort !== 'simple') return { fixedAs: `it is a ${sort} filter` };
  const head = whole.read(0, HEADER_BYTES);
  const known = headed(format, { k: head.getInt32(4), hash: head.getUint8(8), m: head.getInt32(9) }, isBase64);
  const blueprint = headedBlueprint(known);
  return { blueprint, like: () => blueprint, merging: headedMerging(known, {}) };
}

export async function open(source: ByteSource, format: Format): Promise<BitArrayFile> {
  const name = displayName(source.name);
  const begun = bytesOf(await readHead(source, name, TELLING_BYTES));
  const begins = putBack(begun, source);
  const isBase64 = isText(begun);
  const whole = isBase64 ? inMemory(decoded(await readWhole(begins), name), name) : await wholeFile(begins, name);
  const filter = fileOf(whole, name, format, isBase64);
  const description = { ...filter.description, bytes: source.size ?? whole.size };
  return { ...filter, description, close: () => source.close() };
}

/** Decodes base64, with or without line ends. Throws a `format` error if it is malformed. */
export function decoded(text: Uint8Array, name: string): Uint8Array {
  const letters = Buffer.from(text).toString('latin1').replace(/\s/g, '');
  if (letters.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(letters))
    throw damaged(name, 'its base64 is malformed');
  return Buffer.from(letters, 'base64');
}

/** A filter without its bits. */
interface HadoopFilter {
  readonly shape: BitArrayShape;
  readonly rules: KeyRules;
  /** The offset of the bits of each row, and the bytes of a row. */
  readonly offsets: readonly number[];
  readonly bytes: number;
  /** Keys that were added to a dynamic filter. */
  readonly inserted: number | undefined;
  /** The class of Hadoop that wrote the filter. */
  readonly sort: 'simple' | 'dynamic' | 'counting' | 'retouched';
}

/** The description of the bytes of a filter. Throws a `format` error if they are malformed. */
export function readHadoop(whole: WholeFile, name: string): HadoopFilter {
  const head = whole.read(0, HEADER_BYTES);
  const { k, hash, m } = fieldsOf(head);
  requireProbes(name, m, k);
  if (!isHeader(head) || hash === undefined) throw damaged(name, 'its header is not one that Hadoop writes');
  const bytes = Math.ceil(m / 8);
  const rows = rowsOf(whole, bytes);
  const sort = rows === undefined ? lonelySort(whole, m, bytes) : 'dynamic';
  if (sort === undefined)
    throw damaged(
      name,
      `it has ${whole.size} bytes instead of the ${HEADER_BYTES + bytes} of its header, which is of Hadoop, or ${HEADER_BYTES + counterBytes(m)} with counters`,
    );
  for (const offset of rows?.offsets ?? []) requireRow(whole, head, offset, name);
  if (sort === 'simple') requireWhole(whole, bytes, name);
  const offsets = rows === undefined ? [HEADER_BYTES] : rows.offsets;
  return { ...hashedBy(k, hash, m), offsets, bytes, inserted: rows?.inserted, sort };
}

/** The class of a filter without rows, by the length of its file. Undefined if no class fits. */
function lonelySort(whole: WholeFile, m: number, bytes: number): HadoopFilter['sort'] | undefined {
  if (whole.size === HEADER_BYTES + bytes) return 'simple';
  if (whole.size === HEADER_BYTES + counterBytes(m)) return 'counting';
  return isRetouched(whole, HEADER_BYTES + bytes, m) ? 'retouched' : undefined;
}

/** Throws a `format` error if the bytes are the beginning of another class, with the length of a `BloomFilter`. */
function requireWhole(whole: WholeFile, bytes: number, name: string): void {
  const begun = Math.min(HEADER_BYTES, whole.size - DYNAMIC_BYTES);
  const isRow = begun >= TELLING_ROW_BYTES && areEqual(whole.read(DYNAMIC_BYTES, begun), whole.read(0, begun));
  if (isRow) throw cutOff(name, 'DynamicBloomFilter');
  if (areCounters(bytesOf(whole.read(HEADER_BYTES, Math.min(bytes, SAMPLE_BYTES)))))
    throw cutOff(name, 'CountingBloomFilter');
}

const cutOff = (name: string, sort: string) => damaged(name, `it seems to be a ${sort} that was cut off`);

/** What `stats` reports about the relatives, which bloom can read but not change. */
const REMARKS: Readonly<Partial<Record<HadoopFilter['sort'], string>>> = {
  counting: 'it is a CountingBloomFilter: bloom tests only whether its counters are above 0',
  retouched: 'it is a RetouchedBloomFilter: Hadoop may have cleared bits of added keys, which are then absent',
};

/** Zeros where Hadoop cleared bits say nothing about the number of keys. */
const retouched: typeof bloomStructure = { ...bloomStructure, occupancy: undefined };

function fileOf(whole: WholeFile, name: string, format: Format, isBase64: boolean): Omit<BitArrayFile, 'close'> {
  const { shape, rules, offsets, bytes, inserted, sort } = readHadoop(whole, name);
  const isDynamic = sort === 'dynamic';
  const remark = REMARKS[sort];
  const links = offsets.map(() => ({ bits: shape.bits, k: shape.k }));
  const description: Description = {
    format,
    kind: isDynamic ? linked : sort === 'retouched' ? retouched : bloomStructure,
    shape: isDynamic ? linkedShape(links) : linkShape(shape),
    rules,
    target: undefined,
    inserted,
    remarks: remark === undefined ? [] : [remark],
    bytes: whole.size,
  };
  const placed = offsets.map((offset): PlacedArray => ({ shape, offset, bytes }));
  const arrays = sort === 'counting' ? countedArrays(whole, shape, name) : whole.arrays(placed);
  return {
    layout: 'arrays',
    name,
    description,
    ...arrays,
    verified: undefined,
    ...changing(whole, format, sort, isBase64),
  };
}

/** The array of a filter of counters, all of which are read. */
function countedArrays(
  { read }: WholeFile,
  shape: BitArrayShape,
  name: string,
): Pick<BitArrayFile, 'arrays' | 'inOrder'> {
  const bits = bitsOfCounters(bytesOf(read(HEADER_BYTES, counterBytes(shape.bits))), shape.bits);
  if (areBitsAndLists(bits, shape.bits)) throw cutOff(name, 'RetouchedBloomFilter');
  return inMemory(bits, name).arrays([{ shape, offset: 0, bytes: bits.length }]);
}

/** The offset of the bits of each row, and the number of keys. Undefined for a filter that is not dynamic. */
function rowsOf(whole: WholeFile, bytes: number) {
  if (whole.size === HEADER_BYTES + bytes || whole.size < DYNAMIC_BYTES) return undefined;
  const counts = whole.read(HEADER_BYTES, DYNAMIC_BYTES - HEADER_BYTES);
  const [keys, inLast, count] = [counts.getInt32(0), counts.getInt32(4), counts.getInt32(8)];
  const rowBytes = HEADER_BYTES + bytes;
  if (count <= 0 || whole.size !== DYNAMIC_BYTES + count * rowBytes) return undefined;
  const offsets = Array.from({ length: count }, (_, i) => DYNAMIC_BYTES + i * rowBytes + HEADER_BYTES);
  const inserted = (count - 1) * keys + inLast;
  return { offsets, inserted: keys > 0 && inLast >= 0 ? inserted : undefined };
}

/** Throws a `format` error for a row whose header differs. */
function requireRow(whole: WholeFile, head: DataView, offset: number, name: string): void {
  const row = whole.read(offset - HEADER_BYTES, HEADER_BYTES);
  if (!areEqual(row, head)) throw damaged(name, 'its rows have different headers');
}

const areEqual = (a: DataView, b: DataView) => Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
