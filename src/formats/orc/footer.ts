// What an ORC file says of itself at its end (orc_proto.proto of Apache ORC), as far as it tells of filters.

import { BloomError, damaged } from '../../errors.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { type ProtobufValue, readMessage } from '../protobuf.ts';
import { type Sections, sectionsOf } from './compression.ts';

/** A node of the schema. */
export interface TypeNode {
  readonly kind: number;
  /** Numbers of the nodes below it. */
  readonly children: readonly number[];
  /** Of a struct, their names. */
  readonly names: readonly string[];
  /** Characters of a value, where all have as many. */
  readonly length: number;
}

/** Where a stripe is: its index, its data and its footer one behind the other. */
export interface Stripe {
  readonly offset: number;
  readonly indexBytes: number;
  readonly dataBytes: number;
  readonly footerBytes: number;
  readonly rows: number;
}

export interface OrcFooter {
  readonly types: readonly TypeNode[];
  readonly stripes: readonly Stripe[];
  /** Rows that share a filter. */
  readonly stride: number;
  /** Nodes of the schema whose values are encrypted, with what is below them. */
  readonly encrypted: readonly number[];
  /** What whoever wrote it has put there. */
  readonly properties: ReadonlyMap<string, string>;
  readonly sections: Sections;
}

/** Bytes at the end that hold any postscript, and its length. */
const POSTSCRIPT_LIMIT = 256;

/** Bytes of a footer that is read. */
const FOOTER_LIMIT = 2 ** 27;

/** Nodes and stripes that are read. */
const ENTRIES_LIMIT = 2 ** 20;

/** Reads what the file of this name says of itself. Throws a `format` error. */
export async function readFooter(bytes: RandomAccess, name: string): Promise<OrcFooter> {
  const tail = bytes.read(Math.max(0, bytes.size - POSTSCRIPT_LIMIT), POSTSCRIPT_LIMIT);
  const length = tail.at(-1) ?? 0;
  if (length === 0 || length >= tail.length) throw damaged(name, 'its last byte is not the length of a postscript');
  let [footerBytes, blockSize, compression] = [0n, 0n, 0n];
  readMessage(tail.subarray(-1 - length, -1), name, {
    1: (value) => {
      footerBytes = value.number();
    },
    2: (value) => {
      compression = value.number();
    },
    3: (value) => {
      blockSize = value.number();
    },
  });
  const end = bytes.size - 1 - length;
  if (footerBytes > end) throw damaged(name, `it has ${bytes.size} bytes, and its footer ${footerBytes}`);
  if (footerBytes > FOOTER_LIMIT)
    throw new BloomError('memory', `${name} has ${footerBytes} bytes of metadata, more than this program reads`);
  const sections = await sectionsOf(name, Number(compression), blockSize);
  const footer = sections(bytes.read(end - Number(footerBytes), Number(footerBytes)), name);
  return { ...decodeFooter(footer, name, end - Number(footerBytes)), sections };
}

/** `end` is that of the stripes. */
function decodeFooter(footer: Uint8Array, name: string, end: number): Omit<OrcFooter, 'sections'> {
  const types: TypeNode[] = [];
  const stripes: Stripe[] = [];
  const encrypted: number[] = [];
  const properties = new Map<string, string>();
  let stride = 0;
  let left = ENTRIES_LIMIT;
  const count = () => {
    if (--left < 0) throw new BloomError('memory', `${name} has more stripes and columns than this program reads`);
  };
  readMessage(footer, name, {
    3: (value) => {
      count();
      stripes.push(readStripe(value, name, stripes.at(-1), end));
    },
    4: (value) => {
      count();
      types.push(readType(value));
    },
    5: (value) => {
      let key = '';
      value.message({
        1: (of) => {
          key = of.text();
        },
        2: (of) => properties.set(key, of.text()),
      });
    },
    8: (value) => {
      stride = Number(value.number());
    },
    10: (encryption) =>
      encryption.message({
        3: (variant) => variant.message({ 1: (root) => encrypted.push(Number(root.number())) }),
      }),
  });
  return { types, stripes, stride, encrypted, properties };
}

function readType(type: ProtobufValue): TypeNode {
  let [kind, length] = [0, 0];
  const children: number[] = [];
  const names: string[] = [];
  type.message({
    1: (value) => {
      kind = Number(value.number());
    },
    2: (value) => {
      for (const child of value.numbers()) children.push(Number(child));
    },
    3: (value) => names.push(value.text()),
    4: (value) => {
      length = Number(value.number());
    },
  });
  return { kind, children, names, length };
}

function readStripe(stripe: ProtobufValue, name: string, before: Stripe | undefined, end: number): Stripe {
  const values = [0, 0, 0, 0, 0];
  const fields = values.map((_, i) => [
    i + 1,
    (value: ProtobufValue) => {
      values[i] = Number(value.number());
    },
  ]);
  stripe.message(Object.fromEntries(fields));
  const [offset = 0, indexBytes = 0, dataBytes = 0, footerBytes = 0, rows = 0] = values;
  const first = before === undefined ? 0 : endOf(before);
  const found = { offset, indexBytes, dataBytes, footerBytes, rows };
  if (offset < first || endOf(found) > end || rows > Number.MAX_SAFE_INTEGER)
    throw damaged(name, `its footer gives an impossible stripe, from byte ${offset} to ${endOf(found)}`);
  return found;
}

function endOf({ offset, indexBytes, dataBytes, footerBytes }: Stripe): number {
  return offset + indexBytes + dataBytes + footerBytes;
}
