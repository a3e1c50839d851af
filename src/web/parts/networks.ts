// Filters of networks: from an address or a block in CIDR notation to the blocks around it, after FORMAT.md.

import type { WebPart } from '../filter.ts';
import { trimmed } from '../keys.ts';

const V4_BITS = 32;
const V6_BITS = 128;
const GROUPS = 8;
/** IPv4 addresses within IPv6: the number of the bits before them, and these bits. */
const MAPPED_BITS = 96;
const MAPPED = 0xffffn;

const decoder = new TextDecoder('latin1');

function v4In(text: string): bigint | undefined {
  const numbers = text.split('.');
  const isV4 = numbers.length === 4 && numbers.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isV4 ? numbers.reduce((address, part) => (address << 8n) | BigInt(part), 0n) : undefined;
}

function v6In(text: string): bigint | undefined {
  const [, before = text, dotted] = /^(.*:)([\d.]+\.\d+)$/.exec(text) ?? [];
  const v4 = dotted === undefined ? undefined : v4In(dotted);
  if (dotted !== undefined && v4 === undefined) return undefined;
  const whole = v4 === undefined ? text : `${before}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
  const [left = [], right, ...more] = whole.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = GROUPS - left.length - (right?.length ?? 0);
  if (more.length > 0 || (right === undefined ? zeros !== 0 : zeros < 1)) return undefined;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...(right ?? [])];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((address, group) => (address << 16n) | BigInt(`0x${group}`), 0n);
}

interface Block {
  readonly address: bigint;
  /** Bits of an address. */
  readonly width: number;
  readonly length: number;
}

function blockIn(text: string): Block | undefined {
  const [, front = '', zone, size] = /^([^/%]*)(%[^/%]+)?(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const v4 = zone === undefined ? v4In(front) : undefined;
  const address = v4 ?? v6In(front);
  const width = v4 === undefined ? V6_BITS : V4_BITS;
  const length = Number(size ?? width);
  if (address === undefined || length > width) return undefined;
  return v4 === undefined && address >> 32n === MAPPED && length >= MAPPED_BITS
    ? { address: address & 0xffffffffn, width: V4_BITS, length: length - MAPPED_BITS }
    : { address, width, length };
}

/** The bit of a length among those of a header. */
function bitOf(length: number, width: number): number {
  if (width === V6_BITS && length > 64) return 32 + ((length - 65) >> 1);
  return Math.max(0, length - 1) + (width === V4_BITS ? 0 : 64);
}

/** Looks up addresses and blocks in filters of networks. */
export const network: WebPart = {
  network(key, lengths) {
    const block = blockIn(decoder.decode(trimmed(key)));
    if (block === undefined) return [];
    const { address, width } = block;
    const keys: Uint8Array[] = [];
    for (let length = 0; length <= block.length; length++) {
      if (((lengths >> BigInt(bitOf(length, width))) & 1n) === 0n) continue;
      const rest = BigInt(width - length);
      const bytes = new Uint8Array(width / 8 + 1).fill(length);
      for (let at = 0, left = (address >> rest) << rest; at < width / 8; at++, left <<= 8n)
        bytes[at] = Number(BigInt.asUintN(width, left) >> BigInt(width - 8));
      keys.push(bytes);
    }
    return keys;
  },
};
