// The output of DUMP for a filter, in this order:
// - 7, the type of a module's value;
// - the id of the module, whose lower 10 bits are a version;
// - values, each after its type;
// - the version of Redis' database files, in two bytes;
// - CRC-64 of all bytes before.
//
// The values of version 4 are items, links, options and growth. Each link then has capacity, rate, k, bits per key, number
// of bits, its log2, the bits, and items. Version 1 added the number of bits and its log2, version 2 the options, and
// version 4 the growth. Without it, the number of bits is the integer part of capacity times bits per key.

import { damaged } from '../../errors.ts';
import type { FilePiece } from '../array-blueprint.ts';
import type { Container } from './blueprint.ts';
import { DUMP_BEGIN } from './containers.ts';
import { CRC64_BYTES, crc64, withCrc64 } from './crc64.ts';
import { type Links, linkOf, type RedisLink } from './links.ts';
import { createValues, doubleValue, END, stringBefore, wholeValue } from './values.ts';

export const VERSION_AT = 9;
const VALUES_AT = 10;
const LATEST_VERSION = 4;

/** The version of the database files, and CRC-64. */
const TRAILER_BYTES = 10;

/** The version of database files that is written: that of Redis 5, which later versions read too. */
const DATABASE_VERSION = 9;

/** A filter and the bits of its arrays. */
export interface Dumped {
  readonly links: Links;
  readonly bits: readonly Uint8Array[];
}

/** Reads the output of DUMP. redis-cli adds a line end. Throws a `format` error. */
export function decodeDump(bytes: Uint8Array, name: string): Dumped {
  const { payload, content } = payloadOf(bytes, name);
  return decodeBloom(content, payload[VERSION_AT] ?? 0, name);
}

/** Reads the values of a filter of a version. Throws a `format` error. */
export function decodeBloom(content: Uint8Array, version: number, name: string): Dumped {
  if (version > LATEST_VERSION) throw damaged(name, `its version ${version} is unknown`);
  const values = createValues(content, name);
  const items = Number(values.whole());
  const count = values.whole();
  const options = version >= 2 ? Number(values.whole()) : 0;
  const growth = version >= 4 ? Number(values.whole()) : undefined;
  const links: RedisLink[] = [];
  const bits: Uint8Array[] = [];
  for (let i = 0n; i < count; i++) {
    const capacity = values.whole();
    const fpr = values.double();
    const k = values.whole();
    const bitsPerKey = values.double();
    const stated = version >= 1 ? values.whole() : computedBits(capacity, bitsPerKey);
    const power = version >= 1 ? values.whole() : 0n;
    const array = values.string();
    const added = values.whole();
    const bytes = BigInt(array.length);
    links.push(linkOf(name, { bytes, bits: stated, k, capacity, fpr, bitsPerKey, power, items: added }));
    bits.push(array);
  }
  values.end();
  if (links.length === 0) throw damaged(name, 'it has no array of bits');
  return { links: { items, options, growth, links }, bits };
}

/** Bits of an array that does not state them. 0 if the numbers are impossible. */
function computedBits(capacity: bigint, bitsPerKey: number): bigint {
  const bits = Math.trunc(Number(capacity) * bitsPerKey);
  return Number.isSafeInteger(bits) && bits > 0 ? BigInt(bits) : 0n;
}

/**
 * The bytes that the checksum covers together with the checksum, and the values among them. Throws a `format` error
 * if it does not match.
 */
export function payloadOf(bytes: Uint8Array, name: string): { payload: Uint8Array; content: Uint8Array } {
  const shorter = bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
  for (const payload of new Set([bytes, shorter])) {
    if (payload.length < VALUES_AT + TRAILER_BYTES) break;
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    if (crc64(payload.subarray(0, -8)) === view.getBigUint64(payload.length - 8, true))
      return { payload, content: payload.subarray(VALUES_AT, -TRAILER_BYTES) };
  }
  throw damaged(name, 'its checksum does not match');
}

/** The output of DUMP, but without compression. */
export const dumped: Container = ({ items, options, growth, links }) => {
  const head = Buffer.concat([
    Buffer.from(DUMP_BEGIN, 'latin1'),
    Uint8Array.of(LATEST_VERSION),
    ...[items, links.length, options, growth].map(wholeValue),
  ]);
  const pieces = links.flatMap((link, array): FilePiece[] => [
    Buffer.concat([
      wholeValue(link.capacity),
      doubleValue(link.fpr),
      wholeValue(link.k),
      doubleValue(link.bitsPerKey),
      wholeValue(8 * link.bytes),
      wholeValue(link.power),
      stringBefore(link.bytes),
    ]),
    { array, from: 0, bytes: link.bytes },
    wholeValue(link.items),
  ]);
  const end = Uint8Array.of(END, DATABASE_VERSION, 0);
  return { pieces: [head, ...pieces, end], convert: withCrc64, more: CRC64_BYTES };
};
