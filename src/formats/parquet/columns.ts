// The filters of a Parquet file, by column.

import { BloomError, damaged } from '../../errors.ts';
import { splitBlocks } from '../../filters/split-blocks.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { BLOCK_BITS, WORDS } from '../../sizing/blocked.ts';
import type { ColumnFilter, FilteredColumn } from '../columns.ts';
import type { FilteredPart } from '../format.ts';
import type { ColumnChunk, Footer, PromisedFilter } from './footer.ts';
import { readStruct, type ThriftValue } from './thrift.ts';
import { typeOf } from './types.ts';

/** Bytes of a header, and more: whoever adds a field does not need as many. */
const HEADER_LIMIT = 256;

const BLOCK_BYTES = BLOCK_BITS / 8;

/** A column in a row group, and which that is. */
interface NumberedChunk {
  readonly chunk: ColumnChunk;
  readonly label: string;
}

/** The columns that have a filter in some row group, in the order of the file. */
export function columnsOf({ types, rowGroups }: Footer, bytes: RandomAccess, file: string): FilteredColumn[] {
  const byName = new Map<string, NumberedChunk[]>();
  for (const [i, chunksThere] of rowGroups.entries())
    for (const chunk of chunksThere) {
      const chunks = byName.get(chunk.name);
      const numbered = { chunk, label: `row group ${i}` };
      if (chunks === undefined) byName.set(chunk.name, [numbered]);
      else chunks.push(numbered);
    }
  const columns = [...byName].filter(([, chunks]) => chunks.some(({ chunk }) => chunk.filter !== undefined));
  return columns.map(([name, chunks]): FilteredColumn => {
    const leaf = types.get(name);
    if (leaf === undefined) throw damaged(file, `its schema has no column ${name}`);
    const { type, keyType, encoding } = typeOf(leaf);
    const isEncrypted = chunks.some(({ chunk }) => chunk.isEncrypted);
    return {
      name,
      type,
      kind: splitBlocks,
      keyType,
      rules: { hash: 'xxh64', seed: 0n, ignoreCase: false, trim: false, encoding },
      isEncrypted,
      unfiltered: chunks.filter(hasNone).map(({ label }) => label),
      find: () => chunks.flatMap((numbered) => filterOf(numbered, { name, type }, bytes, file)),
    };
  });
}

/** Whether a row group has values of a column and no filter of them. */
function hasNone({ chunk: { filter, values, nulls } }: NumberedChunk): boolean {
  return filter === undefined && values > (nulls ?? 0);
}

function filterOf(
  { chunk: { filter, values, nulls = 0 }, label }: NumberedChunk,
  { name, type }: Pick<FilteredColumn, 'name' | 'type'>,
  bytes: RandomAccess,
  file: string,
): ColumnFilter[] {
  if (filter === undefined) return [];
  const part: FilteredPart = { label, column: name, type, values: Math.max(0, values - nulls) };
  const { offset, length } = locate(filter, bytes, `${file}: the filter of ${name} in ${label}`);
  return [
    { shape: { bits: 8 * length, k: WORDS, rule: 'split-blocks', order: 'bytes' }, bytes: length, bits: offset, part },
  ];
}

/** Where the bits of a filter are, whose header is read: parquet.thrift, BloomFilterHeader. `whose` is it, for messages. */
function locate(promised: PromisedFilter, bytes: RandomAccess, whose: string): { offset: number; length: number } {
  const { offset: at, bytes: claimed } = promised;
  if (at < 0 || at >= bytes.size)
    throw damaged(whose, `it should begin at ${at}, and the file has ${bytes.size} bytes`);
  const begin = Number(at);
  let length = 0n;
  const headerBytes = readStruct(bytes.read(begin, HEADER_LIMIT), whose, {
    1: (value) => {
      length = value.int();
    },
    2: (value) => onlyFirst(value, 'algorithm', whose),
    3: (value) => onlyFirst(value, 'hash', whose),
    4: (value) => onlyFirst(value, 'compression', whose),
  });
  const offset = begin + headerBytes;
  if (length <= 0 || length % BigInt(BLOCK_BYTES) !== 0n || length > bytes.size - offset)
    throw damaged(whose, `its header gives an impossible number of bytes, ${length}`);
  if (claimed !== undefined && claimed < BigInt(headerBytes) + length)
    throw damaged(whose, `it has ${BigInt(headerBytes) + length} bytes, and the metadata gives it ${claimed}`);
  return { offset, length: Number(length) };
}

/** Sees to it that a union is its first alternative, or nothing, as some writers leave it. Throws a `format` error. */
function onlyFirst(union: ThriftValue, what: string, whose: string): void {
  const others = Array.from({ length: 15 }, (_, i) => [
    i + 2,
    () => {
      throw new BloomError(
        'format',
        `${whose} has ${what} ${i + 2}, which this bloom does not know`,
        'use a newer bloom',
      );
    },
  ]);
  union.struct(Object.fromEntries(others));
}
