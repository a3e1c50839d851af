// The filters of an ORC file. A stream of a stripe has the filters of all its row groups.

import { BloomError, damaged } from '../../errors.ts';
import { bloomBy } from '../../filters/stepped.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { requireProbes } from '../bit-array-file.ts';
import type { ColumnFilter, FilteredColumn } from '../columns.ts';
import { readMessage } from '../protobuf.ts';
import type { OrcFooter, Stripe } from './footer.ts';
import { type Leaf, leavesOf } from './types.ts';

/**
 * Kinds of streams with filters. The older kind has words, and hashes strings in the charset of the writer's machine.
 */
const BLOOM_FILTER = 7;
const BLOOM_FILTER_UTF8 = 8;

/** The position of a stream. */
interface Stream {
  readonly kind: number;
  readonly column: number;
  readonly offset: number;
  readonly bytes: number;
}

/** A stripe and its streams of filters, by the number of their column. */
interface FilteredStripe {
  readonly stripe: Stripe;
  readonly label: string;
  readonly streams: ReadonlyMap<number, Stream>;
}

/** The columns that have filters in a stripe, in the order of the schema. */
export function columnsOf(footer: OrcFooter, bytes: RandomAccess, file: string): FilteredColumn[] {
  const stripes = footer.stripes.map((stripe, i): FilteredStripe => {
    const label = `stripe ${i}`;
    return { stripe, label, streams: streamsOf(stripe, footer, bytes, `${file}: ${label}`) };
  });
  const leaves = leavesOf(footer.types, footer.encrypted, file);
  const filtered = leaves.filter(({ id }) => stripes.some(({ streams }) => streams.has(id)));
  return filtered.map((leaf) => ({
    name: leaf.name,
    type: leaf.type,
    kind: bloomBy('spark-1'),
    keyType: leaf.keyType,
    accepts: leaf.accepts,
    rules: {
      hash: leaf.hash,
      seed: 0n,
      ignoreCase: false,
      trim: false,
      encoding: leaf.encoding,
      encodingParameters: leaf.encodingParameters,
    },
    isEncrypted: leaf.isEncrypted,
    unfiltered: stripes
      .filter(({ stripe, streams }) => stripe.rows > 0 && !streams.has(leaf.id))
      .map(({ label }) => label),
    find: () => allFilters(stripes, leaf, footer, bytes, file),
  }));
}

/** The largest number of bytes of the filters of one column. They are all read into memory. */
const FILTERS_LIMIT = 2 ** 31;

function allFilters(
  stripes: readonly FilteredStripe[],
  leaf: Leaf,
  footer: OrcFooter,
  bytes: RandomAccess,
  file: string,
): ColumnFilter[] {
  let left = FILTERS_LIMIT;
  return stripes.flatMap((stripe) => {
    const filters = filtersIn(stripe, leaf, footer, bytes, file);
    left -= filters.reduce((sum, filter) => sum + filter.bytes, 0);
    if (left < 0)
      throw new BloomError(
        'memory',
        `${file} has more than 2 GiB of filters of ${leaf.name}, which is the limit`,
        'split the file',
      );
    return filters;
  });
}

/** The streams of a stripe that have filters. If a column has two, the newer kind is used. */
function streamsOf(
  { offset, indexBytes, dataBytes, footerBytes }: Stripe,
  { sections }: OrcFooter,
  bytes: RandomAccess,
  whose: string,
): ReadonlyMap<number, Stream> {
  const found = new Map<number, Stream>();
  const footerAt = offset + indexBytes + dataBytes;
  let at = offset;
  readMessage(sections(bytes.read(footerAt, footerBytes), whose), whose, {
    1: (value) => {
      let [kind, column, length] = [0n, 0n, 0n];
      value.message({
        1: (of) => {
          kind = of.number();
        },
        2: (of) => {
          column = of.number();
        },
        3: (of) => {
          length = of.number();
        },
      });
      if (length > footerAt - at) throw damaged(whose, 'its streams are longer than the stripe');
      const stream = { kind: Number(kind), column: Number(column), offset: at, bytes: Number(length) };
      at += stream.bytes;
      const isFirst = found.get(stream.column)?.kind !== BLOOM_FILTER_UTF8;
      if (stream.kind === BLOOM_FILTER_UTF8 || (stream.kind === BLOOM_FILTER && isFirst))
        found.set(stream.column, stream);
    },
  });
  return found;
}

/** The filters of a column in a stripe, one per row group. */
function filtersIn(
  { stripe, label, streams }: FilteredStripe,
  { id, name, type, isFlat }: Leaf,
  { sections, stride }: OrcFooter,
  bytes: RandomAccess,
  file: string,
): ColumnFilter[] {
  const stream = streams.get(id);
  if (stream === undefined) return [];
  const whose = `${file}: the filters of ${name} in ${label}`;
  const filters: ColumnFilter[] = [];
  readMessage(sections(bytes.read(stream.offset, stream.bytes), whose), whose, {
    1: (value) => {
      const group = filters.length;
      const rows = Math.max(0, Math.min(stride, stripe.rows - group * stride));
      const part = { label: `${label}, row group ${group}`, column: name, type, values: isFlat ? rows : undefined };
      filters.push({ ...decodeFilter(value.bytes(), whose), part });
    },
  });
  const groups = stride > 0 ? Math.ceil(stripe.rows / stride) : filters.length;
  if (filters.length !== groups) throw damaged(whose, `their number is ${filters.length}, for ${groups} row groups`);
  return filters;
}

function decodeFilter(filter: Uint8Array, whose: string): Omit<ColumnFilter, 'part'> {
  let k = 0n;
  const words: Uint8Array[] = [];
  readMessage(filter, whose, {
    1: (value) => {
      k = value.number();
    },
    2: (value) => words.push(value.bytes()),
    3: (value) => words.splice(0, words.length, value.bytes()),
  });
  const [first = new Uint8Array(0), ...more] = words;
  const bits = more.length === 0 ? first : Buffer.concat(words);
  requireProbes(whose, 8 * bits.length, k);
  return { shape: { bits: 8 * bits.length, k: Number(k), rule: 'spark-1', order: 'bytes' }, bytes: bits.length, bits };
}
