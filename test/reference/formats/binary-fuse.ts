// Images of binary fuse filters, after binaryfusefilter.h: https://github.com/FastFilter/xor_singleheader.

import { xxh64 } from '../xxh64.ts';
import type { ForeignFilter, System } from './system.ts';

const WORD = 2n ** 64n;

interface Image {
  readonly seed: bigint;
  readonly segmentLength: bigint;
  readonly segmentCount: bigint;
  readonly slotBytes: 1 | 2;
  readonly headerBytes: 24 | 28;
  readonly slots: Uint16Array;
}

/** `binary_fuse_murmur64`. */
function murmur64(value: bigint): bigint {
  let h = value;
  h = ((h ^ (h >> 33n)) * 0xff51afd7ed558ccdn) % WORD;
  h = ((h ^ (h >> 33n)) * 0xc4ceb9fe1a85ec53n) % WORD;
  return h ^ (h >> 33n);
}

/** `binary_fuse8_hash_batch`, and the fingerprint. */
export function fuseSlots(
  key: bigint,
  { seed, segmentLength, segmentCount }: Pick<Image, 'seed' | 'segmentLength' | 'segmentCount'>,
) {
  const hash = murmur64((key + seed) % WORD);
  const mask = segmentLength - 1n;
  const h0 = (hash * segmentCount * segmentLength) >> 64n;
  const h1 = (h0 + segmentLength) ^ ((hash >> 18n) & mask);
  const h2 = (h0 + 2n * segmentLength) ^ (hash & mask);
  return { slots: [h0, h1, h2].map(Number), fingerprint: hash ^ (hash >> 32n) };
}

function fingerprintIn(image: Image, fingerprint: bigint): number {
  return Number(BigInt.asUintN(8 * image.slotBytes, fingerprint));
}

/** Solves for the slots of keys by peeling. A key that is alone in a slot is solved last. */
function solved(image: Image, keys: readonly bigint[]): boolean {
  image.slots.fill(0);
  const left = new Map(keys.map((key) => [key, fuseSlots(key, image)]));
  const order: { key: bigint; slot: number }[] = [];
  while (left.size > 0) {
    const users = new Map<number, bigint[]>();
    for (const [key, { slots }] of left) for (const slot of slots) users.set(slot, [...(users.get(slot) ?? []), key]);
    const peeled = [...users].flatMap(([slot, [key, ...others]]) =>
      key === undefined || others.length > 0 ? [] : [{ key, slot }],
    );
    if (peeled.length === 0) return false;
    for (const one of peeled) if (left.delete(one.key)) order.push(one);
  }
  for (const { key, slot } of order.toReversed()) {
    const { slots, fingerprint } = fuseSlots(key, image);
    const others = slots.filter((other) => other !== slot).reduce((xor, other) => xor ^ (image.slots[other] ?? 0), 0);
    image.slots[slot] = fingerprintIn(image, fingerprint) ^ others;
  }
  return true;
}

function filterOf(start: Image, isSolved: boolean): ForeignFilter {
  let image = start;
  const keys = new Set<bigint>();
  let isDone = isSolved;
  /** If the keys have no solution with a seed, tries another seed. */
  const solve = () => {
    if (isDone || keys.size === 0) return;
    while (!solved(image, [...keys])) image = { ...image, seed: murmur64(image.seed + 1n) };
    isDone = true;
  };
  const slots = image.slots.length;
  const each = (items: number) => Math.max(1.125, 0.875 + (0.25 * Math.log(1e6)) / Math.log(Math.max(2, items)));
  const sizedFor = () => {
    let items = 0;
    while ((items + 1) * each(items + 1) <= slots) items++;
    return items;
  };
  return {
    add(key) {
      keys.add(xxh64(key, 0n));
      isDone = false;
    },
    has(key) {
      solve();
      const { slots: at, fingerprint } = fuseSlots(xxh64(key, 0n), image);
      return at.reduce((xor, slot) => xor ^ (image.slots[slot] ?? 0), 0) === fingerprintIn(image, fingerprint);
    },
    fill: () => sizedFor() / slots,
    rate: () => 2 ** (-8 * image.slotBytes),
    encode() {
      solve();
      const { seed, segmentLength, segmentCount, slotBytes, headerBytes } = image;
      const file = new DataView(new ArrayBuffer(headerBytes + slotBytes * slots));
      file.setBigUint64(0, seed, true);
      if (headerBytes === 28) file.setUint32(8, keys.size, true);
      const fields = [segmentLength, segmentCount, segmentCount * segmentLength, BigInt(slots)];
      for (const [i, field] of fields.entries()) file.setUint32(headerBytes - 16 + 4 * i, Number(field), true);
      for (const [i, slot] of image.slots.entries()) {
        if (slotBytes === 1) file.setUint8(headerBytes + i, slot);
        else file.setUint16(headerBytes + 2 * i, slot, true);
      }
      return new Uint8Array(file.buffer);
    },
  };
}

const vessel =
  (keys: number, segmentLength: number, segmentCount: number, slotBytes: 1 | 2, headerBytes: 24 | 28) => () => ({
    filter: filterOf(
      {
        seed: 726438273423n,
        segmentLength: BigInt(segmentLength),
        segmentCount: BigInt(segmentCount),
        slotBytes,
        headerBytes,
        slots: new Uint16Array((segmentCount + 2) * segmentLength),
      },
      false,
    ),
    keys,
    variant: 'binary-fuse',
  });

/** Writes a number of a header of 24 bytes. */
const field = (at: number, value: number) => (file: DataView) => file.setUint32(at, value, true);

export const binaryFuse: System = {
  decode(file) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const headerBytes = view.getUint32(20, true) === (view.getUint32(12, true) + 2) * view.getUint32(8, true) ? 24 : 28;
    const count = view.getUint32(headerBytes - 4, true);
    const slotBytes = file.length >= headerBytes + 2 * count ? 2 : 1;
    const slots = Uint16Array.from({ length: count }, (_, i) =>
      slotBytes === 1 ? view.getUint8(headerBytes + i) : view.getUint16(headerBytes + 2 * i, true),
    );
    const [segmentLength, segmentCount] = [16, 12].map((at) => BigInt(view.getUint32(headerBytes - at, true)));
    const image = { seed: view.getBigUint64(0, true), slotBytes, headerBytes, slots } as const;
    return filterOf({ ...image, segmentLength: segmentLength ?? 0n, segmentCount: segmentCount ?? 0n }, true);
  },
  vessels: {
    'slots of 8 bits': vessel(300, 64, 5, 1, 24),
    'slots of 16 bits and a number of keys': vessel(2000, 256, 9, 2, 28),
    'slots of 16 bits': vessel(300, 64, 6, 2, 24),
    'slots of 8 bits and a number of keys': vessel(9000, 512, 22, 1, 28),
    'no keys': vessel(0, 64, 5, 2, 24),
  },
  spoils: {
    'segments of no slots': field(8, 0),
    'segments of 63 slots': field(8, 63),
    'no segments': field(12, 0),
    'a segment more': field(12, 6),
    'other first slots': field(16, 321),
    'a slot more': field(20, 449),
    '2^32 - 1 slots': field(20, 2 ** 32 - 1),
  },
  mayHaveMore: false,
};
