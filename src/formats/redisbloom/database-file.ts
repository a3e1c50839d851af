import { BloomError, damaged } from '../../errors.ts';
import { displayName } from '../../io/look.ts';
import { type RandomAccess, randomAccess } from '../../io/random-access.ts';
import type { ByteSource } from '../../io/source.ts';
import type { BitArrayFile, Format } from '../format.ts';
import type { Opening } from '../opening.ts';
import { shownKey } from '../ranged-file.ts';
import { firstChange } from './appended.ts';
import { CRC64_BYTES } from './crc64.ts';
import { decodeCuckoo } from './cuckoo-dump.ts';
import { dumpedCuckoo } from './cuckoo-file.ts';
import { type DatabaseKeys, type FilterKey, filterKeysIn, HEAD_BYTES, type StoredKey } from './database-keys.ts';
import { decodeBloom } from './dump.ts';
import { dumpedFilter } from './file.ts';
import { createValues } from './values.ts';

/** The first version that ends with a checksum. */
const CHECKSUM_VERSION = 5;

const DUMP_HINT = 'write the key to a file with redis-cli --raw DUMP KEY > FILE, and use that';

/** Opens the filter of a database file. If it has several, `column` is the key. */
export async function open(source: ByteSource, { column }: Opening, format: Format): Promise<BitArrayFile> {
  const database = await readDatabase(source, format);
  const key = chosen(database, column);
  const { unknown } = database.contents;
  if (unknown !== undefined && database.checksum === 'differs') throw unknownPart(database, unknown);
  requireUnchanged(database, [key], column);
  return filterOf(database, key, () => source.close());
}

/** Opens the filter of each key, for reports. Closing one filter closes all. */
export async function openEach(source: ByteSource, format: Format): Promise<readonly BitArrayFile[]> {
  const database = await readDatabase(source, format);
  const { filters, unknown } = database.contents;
  if (unknown !== undefined) throw unknownPart(database, unknown);
  if (filters.length === 0) throw withoutFilter(database);
  requireUnchanged(database, filters, undefined);
  let isOpen = true;
  const close = () => {
    if (isOpen) source.close();
    isOpen = false;
  };
  return filters.map((key) => filterOf(database, key, close));
}

/** Skips through the keys of a file. Throws a `format` error if the file is damaged. */
async function readDatabase(source: ByteSource, format: Format): Promise<Database> {
  const name = displayName(source.name);
  const bytes = await randomAccess(source);
  const version = Number(Buffer.from(bytes.read(0, HEAD_BYTES)).toString('latin1').slice(5));
  if (!Number.isInteger(version)) throw damaged(name, 'its version is not a number');
  const contents = filterKeysIn(bytes, name);
  const checksum = checksumOf(bytes, version, contents);
  if (contents.unknown === undefined && checksum === 'differs') throw damaged(name, 'its checksum does not match');
  return { name, format, bytes, contents, checksum };
}

function filterOf(database: Database, key: FilterKey, close: () => void): BitArrayFile {
  const { name, format, bytes, checksum } = database;
  const { from, to } = key.values;
  const content = bytes.read(from, to - from);
  const keyName = shownKey(nameOf(database, key));
  const inFile = `${name}: the key ${keyName}`;
  const filter =
    key.kind === 'bloom'
      ? dumpedFilter(decodeBloom(content, key.version, inFile), name, bytes.size, format)
      : dumpedCuckoo(decodeCuckoo(content, key.version, inFile), name, bytes.size, format);
  const remarks = [`it is the key ${keyName} of database ${key.database}`];
  return {
    layout: 'arrays',
    name,
    ...filter,
    description: { ...filter.description, remarks },
    verified: checksum === 'matches' ? 'opened' : undefined,
    close,
  };
}

/** A database file whose keys have been skipped through. */
interface Database {
  /** The name in messages. */
  readonly name: string;
  readonly format: Format;
  readonly bytes: RandomAccess;
  readonly contents: DatabaseKeys;
  readonly checksum: Checksum;
}

/** The filter to query. Throws `usage` and `format` errors if there is not exactly one. */
function chosen(database: Database, column: string | undefined): FilterKey {
  const { name, contents } = database;
  const { filters, unknown } = contents;
  const wanted = column === undefined ? undefined : Buffer.from(column);
  const named = wanted === undefined ? filters : filters.filter((key) => wanted.equals(nameOf(database, key)));
  const [only, ...others] = named;
  if (unknown !== undefined && (wanted === undefined || only === undefined)) throw unknownPart(database, unknown);
  if (only !== undefined && others.length === 0) return only;
  if (filters.length === 0) throw withoutFilter(database);
  if (only === undefined)
    throw new BloomError(
      'usage',
      `${name} has no filter under the key ${shownKey(wanted ?? new Uint8Array(0))}`,
      `it has filters of ${listed(database)}`,
    );
  throw new BloomError(
    'usage',
    `${name} has filters of several keys: ${listed(database)}`,
    wanted === undefined
      ? 'choose one with --column KEY'
      : 'write one to a file with redis-cli -n DATABASE --raw DUMP KEY > FILE, and use that',
  );
}

function withoutFilter({ name }: Database): BloomError {
  return new BloomError('format', `${name} has no filter of RedisBloom`, 'all its keys are of other types');
}

/** The error for a file whose rest cannot be understood. */
function unknownPart(database: Database, { type, key }: NonNullable<DatabaseKeys['unknown']>): BloomError {
  const what = key === undefined ? 'a part' : `the key ${shownKey(nameOf(database, key))}`;
  const found = database.contents.filters.length;
  const hint = found === 0 ? DUMP_HINT : `${DUMP_HINT}; or choose one before it with --column: ${listed(database)}`;
  return new BloomError('format', `${database.name} has ${what} of type ${type}, which this bloom does not know`, hint);
}

type Checksum = 'matches' | 'differs' | 'none';

/**
 * Compares a file with its checksum, which cannot be found if a part is unknown. Throws a `format` error if the file
 * ends early.
 */
function checksumOf(bytes: RandomAccess, version: number, { tape, unknown }: DatabaseKeys): Checksum {
  if (version < CHECKSUM_VERSION) return 'none';
  if (unknown !== undefined) tape.skip(Math.max(0, bytes.size - CRC64_BYTES - tape.position()));
  const sum = tape.checksum();
  const stated = Buffer.from(tape.take(CRC64_BYTES)).readBigUInt64LE();
  if (stated === 0n) return 'none';
  return stated === sum ? 'matches' : 'differs';
}

/** Throws a `format` error if commands after the database may change the filters. */
function requireUnchanged(database: Database, filters: readonly FilterKey[], column: string | undefined): void {
  const { name, bytes, contents } = database;
  const keys = filters.map((key) => nameOf(database, key));
  const change = firstChange(contents.tape, bytes.size, name, { keys, isOnly: column === undefined });
  if (change === undefined) return;
  throw new BloomError(
    'format',
    `${name} has commands after its database that may change the filter, such as ${change}`,
    'rewrite the file with redis-cli BGREWRITEAOF, or write the key to a file with redis-cli --raw DUMP KEY > FILE',
  );
}

/** The name of a key after decompression. */
function nameOf({ bytes, name }: Database, { from, to }: StoredKey): Uint8Array {
  return createValues(bytes.read(from, to - from), name).untyped();
}

/** Keys that a message lists. */
const LISTED = 20;

function listed(database: Database): string {
  const { filters } = database.contents;
  const some = filters.slice(0, LISTED).map((key) => {
    const name = shownKey(nameOf(database, key));
    return key.database === 0 ? name : `${name} in database ${key.database}`;
  });
  return [...some, ...(filters.length > LISTED ? [`${filters.length - LISTED} more`] : [])].join(', ');
}
