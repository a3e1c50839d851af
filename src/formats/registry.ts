import type { Tail } from '../io/positioned.ts';
import { bears, mayBear } from '../io/signature.ts';
import { binaryFuse } from './binary-fuse/binary-fuse.ts';
import { bip37 } from './bip37/bip37.ts';
import { bitsAndBlooms } from './bits-and-blooms/bits-and-blooms.ts';
import { bloomery } from './bloomery/bloomery.ts';
import { state } from './bloomery/state.ts';
import { cassandra } from './cassandra/cassandra.ts';
import { datasketches } from './datasketches/datasketches.ts';
import { dcso } from './dcso/dcso.ts';
import { ethereum } from './ethereum/ethereum.ts';
import type { Format, OwnFormat } from './format.ts';
import { guava } from './guava/guava.ts';
import { hadoop } from './hadoop/hadoop.ts';
import { hbase } from './hbase/hbase.ts';
import { fileIndex } from './index-file/file-index.ts';
import { java } from './java/java.ts';
import { marcan } from './marcan/marcan.ts';
import type { FormatAbility, FormatMark } from './mark.ts';
import { npmBloomFilters } from './npm-bloom-filters/npm-bloom-filters.ts';
import { orc } from './orc/orc.ts';
import { parquet } from './parquet/parquet.ts';
import { poppy } from './poppy/poppy.ts';
import { postgresBloom } from './postgres/postgres-bloom.ts';
import { pybloom } from './pybloom/pybloom.ts';
import { pyprobables } from './pyprobables/pyprobables.ts';
import { redisCuckoo } from './redisbloom/cuckoo.ts';
import { redisDatabase } from './redisbloom/database.ts';
import { redisBloom } from './redisbloom/redisbloom.ts';
import { dcso0, filterPassword, valkey } from './refused.ts';
import { spark } from './spark/spark.ts';
import { leveldb } from './tables/leveldb.ts';
import { rocksdb } from './tables/rocksdb.ts';

/** Every format that bloom detects, in the order of detection. The first is that of new filters. */
export const FORMATS: readonly [OwnFormat, ...(Format | FormatMark)[]] = [
  bloomery,
  state,
  fileIndex,
  parquet,
  orc,
  hbase,
  rocksdb,
  leveldb,
  postgresBloom,
  redisBloom,
  redisCuckoo,
  redisDatabase,
  valkey,
  datasketches,
  dcso,
  poppy,
  filterPassword,
  dcso0,
  guava,
  spark,
  java,
  pybloom,
  hadoop,
  marcan,
  npmBloomFilters,
  pyprobables,
  bitsAndBlooms,
  cassandra,
  ethereum,
  bip37,
  binaryFuse,
];

/** The formats that bloom can read. */
export const KNOWN_FORMATS: readonly Format[] = FORMATS.filter((format) => 'abilities' in format);

/** The formats that bloom detects only to refuse them by name. */
export const REFUSED_FORMATS: readonly FormatMark[] = FORMATS.filter((format) => !('abilities' in format));

/** The names of the formats and variants that support an operation. */
export function formatNames(ability: FormatAbility): string[] {
  const able = KNOWN_FORMATS.filter(({ abilities }) => abilities.includes(ability));
  return able.flatMap(({ name, variants = [] }) => [name, ...variants.map((variant) => variant.name)]);
}

/** The format with this name, or with a variant of this name. */
export function formatNamed(name: string): Format {
  const isNamed = (named: { readonly name: string }) => named.name === name;
  const format = KNOWN_FORMATS.find((known) => isNamed(known) || known.variants?.some(isNamed));
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
}

/** Bytes that are enough to detect a format without a signature. */
const FIELDS_BYTES = 73;

/** The first bytes of all signatures. Few texts begin with one of them, so most texts are compared with no signature. */
const FIRST_BYTES: ReadonlySet<number | undefined> = new Set(
  FORMATS.flatMap(({ signatures = [] }) => signatures.map(([first]) => first)),
);

/**
 * Detects the format of a file by its first bytes and, if they are known, its length and its last bytes. Undefined if
 * it cannot be told from files that are not filters.
 */
export function formatOf(head: Uint8Array, size: number | undefined, tail?: Tail): Format | FormatMark | undefined {
  const maySign = FIRST_BYTES.has(undefined) || FIRST_BYTES.has(head[0]);
  if (size === undefined && !maySign) return undefined;
  const fields = fieldsOf(head);
  return FORMATS.find(
    (format) =>
      (maySign && isSigned(format, head)) ||
      (size !== undefined && (format.fits?.(fields, size) || isEnded(format, size, tail, fields))),
  );
}

/**
 * The most likely format of a file that the user calls a filter, if it comes through a pipe or its length is wrong. A
 * pipe that ended within these first bytes has a known length.
 */
export function likelyFormat(
  head: Uint8Array,
  size = head.length < FIELDS_BYTES ? head.length : undefined,
  tail?: Tail,
): Format | FormatMark | undefined {
  const known = size === undefined ? undefined : formatOf(head, size, tail);
  const fields = fieldsOf(head);
  const isNear = ({ promises }: FormatMark) => size === undefined || isAbout(size, promises?.(fields));
  return (
    known ?? FORMATS.find((format) => isSigned(format, head) || (format.fits?.(fields, undefined) && isNear(format)))
  );
}

/** Whether a file of this size may be a damaged file of the promised size. */
const isAbout = (size: number, promised = size) => size >= promised / 2 && size <= 2 * promised;

/** Whether a file may have the stated format. A format without marks accepts any file. */
export function mayBeOf(format: Format, head: Uint8Array, size: number | undefined, tail?: Tail): boolean {
  if ([format.signatures, format.fits, format.ends].every((mark) => mark === undefined)) return true;
  const fields = fieldsOf(head);
  // The end of a pipe cannot be seen.
  if (isSigned(format, head) || (size === undefined ? format.ends : isEnded(format, size, tail, fields))) return true;
  return [size, undefined].some((length) => format.fits?.(fields, length));
}

function isEnded({ ends }: FormatMark, size: number, tailOf: Tail | undefined, fields: DataView): boolean {
  const tail = ends && tailOf?.();
  return tail !== undefined && ends?.(new DataView(tail.buffer, tail.byteOffset), size, fields) === true;
}

function isSigned({ signatures = [] }: FormatMark, head: Uint8Array): boolean {
  return signatures.some((signature) => bears(head, signature));
}

function fieldsOf(head: Uint8Array): DataView {
  const fields = new Uint8Array(FIELDS_BYTES);
  fields.set(head.subarray(0, FIELDS_BYTES));
  return new DataView(fields.buffer);
}

/** Whether more bytes are needed to detect the format. */
export function mayBeFilter(head: Uint8Array): boolean {
  return FORMATS.some(({ signatures = [] }) => signatures.some((signature) => mayBear(head, signature)));
}

/** Whether more bytes are needed to detect the format of a file that the user calls a filter. */
export function isUndecidedFilter(head: Uint8Array): boolean {
  return head.length < FIELDS_BYTES || mayBeFilter(head);
}
