// Files of sorted tables: some blocks hold filters, and each filter has the keys of one range.

import { isUtf8 } from 'node:buffer';
import { BloomError, damaged, printable } from '../errors.ts';
import {
  KEYLESS_BITS,
  keyRanges,
  PART_BITS_LIMIT,
  PART_PROBES_LIMIT,
  rangedShape,
  type StatedRanges,
} from '../filters/key-ranges.ts';
import type { RangedPart } from '../filters/kind.ts';
import { sum } from '../filters/kind.ts';
import { partitioned } from '../filters/partitioned.ts';
import type { PositionRuleName } from '../filters/position-rules.ts';
import type { HashName } from '../hashes/registry.ts';
import { displayName } from '../io/look.ts';
import type { PositionedFile } from '../io/positioned.ts';
import type { ByteSource } from '../io/source.ts';
import type { Description } from './description.ts';
import type { BitArrayFile, Format, StoredPart } from './format.ts';

/** A filter and the position of its bits. */
export interface StoredFilter extends Omit<RangedPart, 'first'> {
  readonly stored: StoredPart;
  /** Its position, and its keys if there are several filters. */
  readonly label: string;
}

/** A table that was read, without the bits of its filters. */
export interface RangedTable {
  readonly format: Format;
  readonly file: PositionedFile;
  readonly hash: HashName;
  readonly rule: PositionRuleName;
  /** In the order of the file. */
  readonly filters: readonly StoredFilter[];
  /** The number of the filter of each range. Undefined if all keys of the range are absent. */
  readonly ranges: Omit<StatedRanges, 'parts'> & { readonly filters: readonly (number | undefined)[] };
  /** Added keys, if the file states the number. */
  readonly inserted: number | undefined;
  readonly verified: BitArrayFile['verified'];
  readonly doubt?: string | undefined;
  close(): void;
}

/** The range of a table that has one filter for all keys. */
export const ONE_RANGE: RangedTable['ranges'] = { separators: [], filters: [0], isBehind: false, order: 'bytes' };

/** The filters of a table as one array. Throws a `format` error if there are no bits or too many. */
export function rangedFile(table: RangedTable): BitArrayFile {
  const { format, file, hash, rule, filters, ranges, close } = table;
  requireApart(file, filters);
  let first = KEYLESS_BITS;
  const parts = filters.map(({ stored, bits, k, lineBits, steps }) => {
    const part = { first, bits, k, lineBits, steps };
    first += 8 * stored.bytes;
    return part;
  });
  const shape = rangedShape(parts);
  const { bits, k } = shape;
  if (bits === 0) throw withoutKeys(file.name);
  if (first > PART_BITS_LIMIT || k > PART_PROBES_LIMIT) throw damaged(file.name, 'its filters are too large');
  const description: Description = {
    format,
    kind: partitioned,
    shape,
    rules: {
      hash,
      seed: 0n,
      ignoreCase: false,
      trim: false,
      ranges: keyRanges({ ...ranges, parts: ranges.filters.map((i) => (i === undefined ? undefined : parts[i])) }),
    },
    target: undefined,
    inserted: table.inserted,
    doubt: table.doubt,
    bytes: file.size,
  };
  const keyless: StoredPart = { offset: undefined, bytes: KEYLESS_BITS / 8 };
  return {
    layout: 'arrays',
    name: file.name,
    description,
    arrays: [
      {
        shape: { bits: first, k, rule, order: 'bytes', parts },
        bytes: first / 8,
        stored: { file, parts: [keyless, ...filters.map(({ stored }) => stored)] },
        ...(filters.length > 1 ? { parts: filters.map(({ label }) => ({ label })) } : {}),
      },
    ],
    inOrder: undefined,
    verified: table.verified,
    close,
  };
}

/** Throws a `format` error if the filters have more bytes than their file. Several filters may claim the same bytes. */
function requireApart({ name, size }: PositionedFile, filters: readonly StoredFilter[]): void {
  const blocks = new Set(filters.map(({ stored }) => stored.block ?? stored));
  if (sum([...blocks].map(({ bytes }) => bytes)) > size)
    throw damaged(name, 'its filters have more bytes than the file');
}

/** Characters of a key in a label. */
const KEY_LENGTH = 40;

/** A key for messages: as text if possible, and shortened if it is long. */
export function shownKey(key: Uint8Array): string {
  const isText = isUtf8(key);
  const text = isText ? JSON.stringify(Buffer.from(key).toString()) : `0x${Buffer.from(key).toString('hex')}`;
  return printable(text.length > KEY_LENGTH ? `${text.slice(0, KEY_LENGTH)}…` : text);
}

/** The error for a table whose filter has no bits, for example because the table has only deletions. */
export function withoutKeys(name: string): BloomError {
  return new BloomError('format', `${name} has a filter without bits`, 'the table has no keys to query');
}

/** The file of a table, which is read from its end. Throws a `format` error if the source can only be read in order. */
export function fileOf({ file, name }: ByteSource, system: string): PositionedFile {
  if (file !== undefined) return file;
  throw new BloomError(
    'format',
    `${displayName(name)} can only be read in order, but ${system} must be read from its end`,
    'copy it into a regular file',
  );
}
