// The first reply of BF.SCANDUMP, little-endian without gaps: u64 items, u32 links, u32 options, u32 growth, and for
// each link: u64 bytes, u64 bits, u64 items, f64 rate, f64 bits per key, u32 k, u64 capacity, u8 log2 of the bits.
// Versions before 2.2.1 have a u32 capacity, and those before 2.2 no growth.

import { damaged } from '../../errors.ts';
import { isLikely, LATEST, LAYOUTS, type Layout, statedLink } from './header-layouts.ts';
import { type ChangeableLinks, type Links, linkOf, type RedisLink } from './links.ts';

/** The largest plausible number of links. */
const LINKS_LIMIT = 2n ** 16n;

/** Bytes that are enough to detect a header. Every file has as many. */
export const TELLING_BYTES = 73;

/** The length of the longest header. */
export const HEADER_LIMIT = 20 + 53 * Number(LINKS_LIMIT);

/** The filter of a whole header. Throws a `format` error. */
export function decodeHeader(head: DataView, name: string): Links {
  const count = countOf(head);
  const layout = LAYOUTS.find((layout) => bytesOf(layout, count) === head.byteLength);
  if (count === 0 || layout === undefined) throw damaged(name, 'the length of its header does not fit its links');
  const links = Array.from({ length: count }, (_, i): RedisLink => linkOf(name, statedLink(head, layout, i)));
  return {
    items: Number(head.getBigUint64(0, true)),
    options: head.getUint32(12, true),
    growth: layout === LATEST ? head.getUint32(16, true) : undefined,
    links,
  };
}

/** The header of a filter in the latest version. */
export function encodeHeader({ items, options, growth, links }: ChangeableLinks): Uint8Array {
  const { begin, linkBytes } = LATEST;
  const head = new DataView(new ArrayBuffer(bytesOf(LATEST, links.length)));
  head.setBigUint64(0, BigInt(items), true);
  for (const [i, value] of [links.length, options, growth].entries()) head.setUint32(8 + 4 * i, value, true);
  for (const [i, link] of links.entries()) {
    const at = begin + linkBytes * i;
    for (const [j, value] of [link.bytes, 8 * link.bytes, link.items].entries())
      head.setBigUint64(at + 8 * j, BigInt(value), true);
    head.setFloat64(at + 24, link.fpr, true);
    head.setFloat64(at + 32, link.bitsPerKey, true);
    head.setUint32(at + 40, link.k, true);
    head.setBigUint64(at + 44, BigInt(link.capacity), true);
    head.setUint8(at + 52, link.power);
  }
  return new Uint8Array(head.buffer);
}

/** The length of the header that begins with these bytes. Throws a `format` error if it is malformed. */
export function headerBytes(head: DataView, name: string): number {
  const count = countOf(head);
  const layout = LAYOUTS.find((layout) => isLikely(statedLink(head, layout, 0)));
  if (count === 0 || BigInt(count) > LINKS_LIMIT || layout === undefined)
    throw damaged(name, 'its header is not one that RedisBloom writes');
  return bytesOf(layout, count);
}

const countOf = (head: DataView) => (head.byteLength < 16 ? 0 : head.getUint32(8, true));

const bytesOf = ({ begin, linkBytes }: Layout, count: number) => begin + linkBytes * count;
