import { BloomError, damaged, Unfiltered } from '../../errors.ts';
import type { ByteSource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { STEPS } from '../../sizing/steps.ts';
import type { KeyRules } from '../description.ts';
import type { BitArrayFile, Format } from '../format.ts';
import { BYTES, type KeyType, type KeyTypes } from '../key-types.ts';
import { fileOf, type RangedTable, rangedFile, type StoredFilter, shownKey } from '../ranged-file.ts';
import { type FilterChunk, readFilterMeta } from './filter-meta.ts';
import { type HFile, openHFile, readProperties } from './hfile.ts';
import { CELLS } from './keys.ts';

/** The keys of a filter, by its type. */
interface KeySort {
  readonly keyTypes: KeyTypes;
  readonly keyType?: KeyType;
  readonly rules: Partial<KeyRules>;
}

/** Opens an HFile: see `Format.open`. */
export async function open(source: ByteSource, format: Format, kernel?: Kernel): Promise<BitArrayFile> {
  const file = fileOf(source, 'an HFile');
  const hfile = openHFile(file, kernel);
  const properties = readProperties(hfile);
  const sort = keySort(properties, file.name);
  const block = hfile.blocks.get('BLMFMET2');
  if (block === undefined) throw damaged(file.name, 'its properties state a filter, but it has none');
  const { k, hash, keys, chunks } = readFilterMeta(hfile.read(block), `${file.name}: its filter`);
  const filters = chunks.map((chunk) => chunkAt(hfile, chunk, k, sort));
  const table = rangedFile({
    format: { ...format, keyTypes: sort.keyTypes },
    file,
    hash,
    rule: 'hbase',
    filters,
    ranges: rangesOf(chunks, sort, properties.get('LAST_BLOOM_KEY')),
    inserted: Number(keys),
    verified: 'read',
    close: () => source.close(),
  });
  const { description } = table;
  const { keyType } = sort;
  const keyed = { ...description, rules: { ...description.rules, ...sort.rules } };
  return { ...table, description: keyType === undefined ? keyed : { ...keyed, keyType } };
}

/**
 * No key is before the first key, and none is after the last. For cells the end is open, because the last key would
 * have to be compared as a cell.
 */
function rangesOf(
  chunks: readonly FilterChunk[],
  { keyType }: KeySort,
  last: Uint8Array | undefined,
): RangedTable['ranges'] {
  const firstKeys = chunks.map(({ firstKey }) => firstKey);
  const filters = [undefined, ...firstKeys.keys()];
  if (keyType !== undefined) return { separators: firstKeys, filters, isBehind: true, order: 'cells' };
  const [ends, behind] = last === undefined ? [[], []] : [[Uint8Array.of(...last, 0)], [undefined]];
  return { separators: [...firstKeys, ...ends], filters: [...filters, ...behind], isBehind: true, order: 'bytes' };
}

/** A chunk. All of its content is bits. */
function chunkAt(hfile: HFile, { offset, firstKey }: FilterChunk, k: number, { keyType }: KeySort): StoredFilter {
  const { block, header } = hfile.blockAt(offset, `the chunk of its filter at byte ${offset}`);
  const isCell = firstKey.length >= CELL_BYTES + rowLength(firstKey);
  if (keyType !== undefined && !isCell) throw damaged(hfile.file.name, `${block.label} does not begin with a cell`);
  const { magic, contentBytes: bytes } = header;
  const name = `${hfile.file.name}: ${block.label}`;
  if (magic !== 'BLMFBLK2') throw damaged(name, `it begins with ${JSON.stringify(magic)}`);
  if (bytes === 0 || k <= 0) throw damaged(name, `it cannot have ${bytes} bytes and ${k} hash functions`);
  const from = shownKey(keyType === undefined ? firstKey : rowAndQualifier(firstKey));
  const label = `chunk at byte ${offset}, keys from ${from}`;
  return { bits: 8 * bytes, k, steps: STEPS.hbase, stored: { offset: 0, bytes, block }, label };
}

/**
 * Bytes of a cell besides its row and its qualifier: the length of the row, the length of the family, and 9 bytes at
 * the end.
 */
const CELL_BYTES = 12;

function rowLength([high = 0, low = 0]: Uint8Array): number {
  return 256 * high + low;
}

/** The row and the qualifier of a cell, as records have them. */
function rowAndQualifier(cell: Uint8Array): Uint8Array {
  const rowEnd = 2 + rowLength(cell);
  return Buffer.concat([cell.subarray(2, rowEnd), Buffer.from('\t'), cell.subarray(rowEnd + 1, -9)]);
}

/** The keys of the filter of a file. Throws a `format` error if bloom cannot query them. */
function keySort(properties: ReadonlyMap<string, Uint8Array>, name: string): KeySort {
  const text = (key: string) => Buffer.from(properties.get(key) ?? []).toString('latin1');
  const type = text('BLOOM_FILTER_TYPE');
  if (type === '' || type === 'NONE')
    throw new Unfiltered(`${name} has no filter`, 'HBase wrote it with BLOOMFILTER NONE');
  if (type === 'ROW') return { keyTypes: BYTES, rules: {} };
  if (type === 'ROWCOL') return { keyTypes: CELLS, keyType: 'cell', rules: { encoding: 'hbase-cell' } };
  const parameter = properties.get('BLOOM_FILTER_PARAM') ?? new Uint8Array();
  const fields = new DataView(parameter.buffer, parameter.byteOffset, parameter.length);
  if (type !== 'ROWPREFIX_FIXED_LENGTH' || parameter.length !== 4 || fields.getInt32(0) <= 0)
    throw new BloomError(
      'format',
      `${name} has a filter of type ${type}, which bloom cannot query`,
      'query the table with HBase',
    );
  return { keyTypes: BYTES, rules: { prefix: fields.getInt32(0) } };
}
