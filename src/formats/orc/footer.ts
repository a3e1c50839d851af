// The metadata at the end of an ORC file (orc_proto.proto of Apache ORC), as far as filters need it.

import { BloomError, damaged } from '../../errors.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { type ProtobufValue, readMessage } from '../protobuf.ts';
import { type Sections, sectionsOf } from './compression.ts';

/** A node of the schema. */
export interface TypeNode {
  readonly kind: number;
  /** The numbers of its child nodes. */
  readonly children: readonly number[];
  /** The names of the children of a struct. */
  readonly names: readonly string[];
  /** Characters per value, if the type fixes them. */
  readonly length: number;
}

/** The position of a stripe: its index, its data and its footer, in this order. */
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
  /** Rows per filter. */
  readonly stride: number;
  /** Nodes of the schema whose values are encrypted, together with their descendants. */
  readonly encrypted: readonly number[];
  /** Metadata of the writer. */
  readonly properties: ReadonlyMap<string, string>;
  readonly sections: Sections;
}

/** Bytes at the end that contain any postscript and its length. */
const POSTSCRIPT_LIMIT = 256;

/** The largest footer that is read. */
const FOOTER_LIMIT = 2 ** 27;

/** The largest number of nodes and stripes that is read. */
const ENTRIES_LIMIT = 2 ** 20;

/** Reads the metadata of a file. Throws a `format` error. */
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
  if (footerBytes > end) throw damaged(name, `it has ${bytes.size} bytes, and its footer would have ${footerBytes}`);
  if (footerBytes > FOOTER_LIMIT)
    throw new BloomError(
      'memory',
      `${name} has ${footerBytes} bytes of metadata, which is too large`,
      'split the file',
    );
  const sections = await sectionsOf(name, Number(compression), blockSize);
  const footer = sections(bytes.read(end - Number(footerBytes), Number(footerBytes)), name);
  return { ...decodeFooter(footer, name, end - Number(footerBytes)), sections };
}

/** `end` is the end of the stripes. */
function decodeFooter(footer: Uint8Array, name: string, end: number): Omit<OrcFooter, 'sections'> {
  const types: TypeNode[] = [];
  const stripes: Stripe[] = [];
  const encrypted: number[] = [];
  const properties = new Map<string, string>();
  let stride = 0;
  let left = ENTRIES_LIMIT;
  const count = () => {
    if (--left < 0) throw new BloomError('memory', `${name} has too many stripes and columns`, 'split the file');
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
    throw damaged(name, `its footer states an impossible stripe, from byte ${offset} to ${endOf(found)}`);
  return found;
}

function endOf({ offset, indexBytes, dataBytes, footerBytes }: Stripe): number {
  return offset + indexBytes + dataBytes + footerBytes;
}
