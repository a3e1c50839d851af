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

/** Every format that is told from others, and before those that its files may seem to be; the first is that of new filters. */
export const FORMATS: readonly [OwnFormat, ...(Format | FormatMark)[]] = [
  bloomery,
  state,
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

/** The formats of which something is known beyond whose they are. */
export const KNOWN_FORMATS: readonly Format[] = FORMATS.filter((format) => 'abilities' in format);

/** Those that are only told, to be refused by their names. */
export const REFUSED_FORMATS: readonly FormatMark[] = FORMATS.filter((format) => !('abilities' in format));

/** What a format, or a variant of it, is called of those of which that can be done with files. */
export function formatNames(ability: FormatAbility): string[] {
  const able = KNOWN_FORMATS.filter(({ abilities }) => abilities.includes(ability));
  return able.flatMap(({ name, variants = [] }) => [name, ...variants.map((variant) => variant.name)]);
}

/** The format of this name, or with a variant of it. */
export function formatNamed(name: string): Format {
  const isNamed = (named: { readonly name: string }) => named.name === name;
  const format = KNOWN_FORMATS.find((known) => isNamed(known) || known.variants?.some(isNamed));
  if (format === undefined) throw new Error(`there is no format ${name}`);
  return format;
}

/** Bytes that are enough to tell a format without a signature. */
const FIELDS_BYTES = 73;

/**
 * The format of a file, by its first bytes and, where these are known, its length and its last bytes; undefined if it is no
 * filter that can be told from other files.
 */
export function formatOf(head: Uint8Array, size: number | undefined, tail?: Tail): Format | FormatMark | undefined {
  const fields = fieldsOf(head);
  return FORMATS.find(
    (format) =>
      isSigned(format, head) ||
      (size !== undefined && (format.fits?.(fields, size) || isEnded(format, size, tail, fields))),
  );
}

/**
 * The format of what is said to be a filter, and comes through a pipe or has not the length that it should, as a file that was cut
 * off. A pipe that ended within these first bytes has a known length.
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

/** Whether a file of so many bytes may be what is left of one of so many, or that and something else. */
const isAbout = (size: number, promised = size) => size >= promised / 2 && size <= 2 * promised;

/** Whether a file that is said to be of a format can be: one without marks takes any. */
export function mayBeOf(format: Format, head: Uint8Array, size: number | undefined, tail?: Tail): boolean {
  if ([format.signatures, format.fits, format.ends].every((mark) => mark === undefined)) return true;
  const fields = fieldsOf(head);
  // Of what comes through a pipe nobody sees the end.
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

/** Whether it takes more bytes to tell. */
export function mayBeFilter(head: Uint8Array): boolean {
  return FORMATS.some(({ signatures = [] }) => signatures.some((signature) => mayBear(head, signature)));
}

/** Whether it takes more bytes to tell of what is said to be a filter. */
export function isUntoldFilter(head: Uint8Array): boolean {
  return head.length < FIELDS_BYTES || mayBeFilter(head);
}
