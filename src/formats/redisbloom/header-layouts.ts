// The start of a header, by which bloom detects files.

import { reachOf, type StatedLink } from './links.ts';

/** The offset of the links of a version, and the length of a link. */
export interface Layout {
  readonly begin: number;
  readonly linkBytes: 53 | 49;
}

export const LATEST: Layout = { begin: 20, linkBytes: 53 };
export const LAYOUTS: readonly Layout[] = [LATEST, { begin: 20, linkBytes: 49 }, { begin: 16, linkBytes: 49 }];

/** Whether a header may begin with these bytes. */
export function isHeader(head: DataView): boolean {
  return LAYOUTS.some((layout) => isLikely(statedLink(head, layout, 0)));
}

/** The fields of a link in a header. */
export function statedLink(head: DataView, { begin, linkBytes }: Layout, index: number): StatedLink {
  const at = begin + linkBytes * index;
  const isWide = linkBytes === 53;
  return {
    bytes: head.getBigUint64(at, true),
    bits: head.getBigUint64(at + 8, true),
    items: head.getBigUint64(at + 16, true),
    fpr: head.getFloat64(at + 24, true),
    bitsPerKey: head.getFloat64(at + 32, true),
    k: BigInt(head.getUint32(at + 40, true)),
    capacity: isWide ? head.getBigUint64(at + 44, true) : BigInt(head.getUint32(at + 44, true)),
    power: BigInt(head.getUint8(at + linkBytes - 1)),
  };
}

/** ln 2 and (ln 2)^2 with the digits that RedisBloom has. */
const LN_2 = 693_147_180_559_945 / 1e15;
const LN_2_SQUARED = 480_453_013_918_201 / 1e15;

/** The largest difference of two logarithms of different libraries. */
const PRECISION = 1e-9;

/** More keys than any plausible array is sized for. */
const CAPACITY_LIMIT = 2n ** 32n;

/**
 * Whether the numbers of a link fit together. The bits per key follow from the rate, and k follows from the bits per
 * key (`bloom_init` of contrib/bloom.c), so hardly any other bytes pass. In a link with a u32 capacity, bytes 44 to
 * 51 also contain the log2 and the start of what follows the link. They are almost never zeros.
 */
export function isLikely(stated: StatedLink): boolean {
  const { bytes, bits, k, capacity, fpr, bitsPerKey, power } = stated;
  const held = 8n * bytes;
  const isOld = bits === 0n && power > 0n && reachOf(stated) <= held;
  const isSized = bytes > 0n && (bits === held || isOld) && capacity < CAPACITY_LIMIT;
  const isRate = fpr > 0 && fpr < 1 && Math.abs(-Math.log(fpr) / LN_2_SQUARED / bitsPerKey - 1) < PRECISION;
  return isSized && isRate && Number(k) === Math.ceil(LN_2 * bitsPerKey);
}
