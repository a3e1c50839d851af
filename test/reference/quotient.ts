// A quotient filter after FORMAT.md. Its sorted numbers are laid out one bit at a time.

import { type DigestRules, digestOf } from './digests.ts';
import type { Oracle, Rules } from './kinds.ts';
import { bitAt, fewestSegments, partsOf, rateOfValues, setBit, within } from './places.ts';

const BLOCK = 64;
const TAIL = 512;
const COPIES = 8;

function blocksOf({ segmentBits, k }: Rules): number {
  return segmentBits / (BLOCK * (k + 3));
}

/** The segment and the number of a key. */
function locate(key: Uint8Array, rules: Rules & DigestRules): { segment: number; number: bigint } {
  const digest = digestOf(key, rules);
  const fraction = BigInt.asUintN(64, digest * BigInt(rules.segments));
  const range = BigInt(BLOCK * blocksOf(rules) - TAIL) << BigInt(rules.k);
  const segment = Number(((digest >> 32n) * BigInt(rules.segments)) >> 32n);
  return { segment, number: (fraction * range) >> 64n };
}

const byValue = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b));

/** The sorted numbers of the keys of each segment. A number occurs at most as often as a filter keeps it. */
function numbersOf(keys: Iterable<Uint8Array>, rules: Rules & DigestRules): bigint[][] {
  const lists: bigint[][] = Array.from({ length: rules.segments }, () => []);
  for (const key of keys) {
    const { segment, number } = locate(key, rules);
    lists[segment]?.push(number);
  }
  return lists.map((list) => list.sort(byValue).filter((number, i) => list[i - COPIES] !== number));
}

/** The first bit of a word of a block. The remainders come first, then occupied, run ends and spill. */
function wordAt(block: number, word: number, { k }: Rules): number {
  return BLOCK * (block * (k + 3) + word);
}

function layOut(segment: Uint8Array, numbers: readonly bigint[], rules: Rules): void {
  const { k: r } = rules;
  const runs = new Map<number, bigint[]>();
  for (const number of numbers) {
    const quotient = Number(number >> BigInt(r));
    runs.set(quotient, [...(runs.get(quotient) ?? []), number]);
  }
  let next = 0;
  const spills = new Map<number, number>();
  for (const [quotient, run] of runs) {
    const block = Math.floor(quotient / BLOCK);
    setBit(segment, wordAt(block, r, rules) + (quotient % BLOCK));
    next = Math.max(next, quotient);
    for (const number of run) {
      for (let bit = 0; bit < r; bit++) {
        if ((number >> BigInt(bit)) % 2n === 0n) continue;
        setBit(segment, wordAt(Math.floor(next / BLOCK), 0, rules) + (next % BLOCK) * r + bit);
      }
      next++;
    }
    setBit(segment, wordAt(Math.floor((next - 1) / BLOCK), r + 1, rules) + ((next - 1) % BLOCK));
    for (let later = block + 1; later * BLOCK < next; later++) spills.set(later, next - later * BLOCK);
  }
  if (next > BLOCK * blocksOf(rules)) throw new Error('the reference filter is full');
  for (const [block, spill] of spills) {
    for (let bit = 0; bit < 32; bit++) {
      if (Math.floor(spill / 2 ** bit) % 2 === 1) setBit(segment, wordAt(block, r + 2, rules) + bit);
    }
  }
}

/** The payload of one segment that has these numbers, in any order. */
export function payloadOfNumbers(numbers: readonly bigint[], rules: Rules): Uint8Array {
  const payload = new Uint8Array(rules.segmentBits / 8);
  const sorted = numbers.toSorted(byValue);
  layOut(
    payload,
    sorted.filter((number, i) => sorted[i - COPIES] !== number),
    rules,
  );
  return payload;
}

/** The numbers of a segment, read from its runs in order. */
function readOff(segment: Uint8Array, rules: Rules): { numbers: bigint[]; slots: number[] } {
  const { k: r } = rules;
  const numbers: bigint[] = [];
  const slots: number[] = [];
  let next = 0;
  for (let quotient = 0; quotient < BLOCK * blocksOf(rules); quotient++) {
    if (!bitAt(segment, wordAt(Math.floor(quotient / BLOCK), r, rules) + (quotient % BLOCK))) continue;
    next = Math.max(next, quotient);
    for (let isLast = false; !isLast; next++) {
      const [block, slot] = [Math.floor(next / BLOCK), next % BLOCK];
      let remainder = 0n;
      for (let bit = r - 1; bit >= 0; bit--) {
        remainder = 2n * remainder + (bitAt(segment, wordAt(block, 0, rules) + slot * r + bit) ? 1n : 0n);
      }
      numbers.push((BigInt(quotient) << BigInt(r)) | remainder);
      slots.push(next);
      isLast = bitAt(segment, wordAt(block, r + 1, rules) + slot);
    }
  }
  return { numbers, slots };
}

/** The numbers of each segment of the queried payloads. The payloads must not change afterwards. */
const setsOf = new WeakMap<Uint8Array, Set<bigint>[]>();

export const quotient: Oracle = {
  payloadOf(keys, rules) {
    const payload = new Uint8Array((rules.segments * rules.segmentBits) / 8);
    const lists = numbersOf(keys, rules);
    partsOf(payload, rules).forEach((segment, i) => {
      layOut(segment, lists[i] ?? [], rules);
    });
    return payload;
  },
  mayContain(payload, key, rules) {
    const { segment, number } = locate(key, rules);
    const sets = setsOf.get(payload) ?? partsOf(payload, rules).map((part) => new Set(readOff(part, rules).numbers));
    setsOf.set(payload, sets);
    return sets[segment]?.has(number) === true;
  },
  fillOf(segment, rules) {
    const { numbers, slots } = readOff(segment, rules);
    const repeated = numbers.filter((number, i) => number === numbers[i - 1]).length;
    let longest = 0;
    slots.reduce((length, slot, i) => {
      const cluster = slot === (slots[i - 1] ?? -2) + 1 ? length + 1 : 1;
      longest = Math.max(longest, cluster);
      return cluster;
    }, 0);
    let cluster = 0;
    while (2 ** cluster < longest) cluster++;
    return BigInt(numbers.length) + (BigInt(repeated) << 24n) + (BigInt(cluster) << 48n);
  },
  isLegal(rules) {
    const { k, segments } = rules;
    const blocks = blocksOf(rules);
    return (
      within(k, 1, 32) &&
      Number.isInteger(blocks) &&
      within(blocks, 9, 2 ** 18 - 1) &&
      segments <= fewestSegments(rules)
    );
  },
  bitsPerKey: 12,
  // The value of a key is a quotient and a remainder. The last 512 slots have no quotient of their own.
  impliedRate: (_, rules, items) => rateOfValues(items, rules, (BLOCK * blocksOf(rules) - TAIL) * 2 ** rules.k),
  afterRemoval: (_, kept) => kept,
};
