// A binary fuse filter after FORMAT.md and the paper (Graf & Lemire 2022, algorithm 1). The keys are the edges of a
// hypergraph, from which they are peeled one at a time.

import type { Oracle, Rules } from './kinds.ts';
import { areFewOrFine, bitAt, partsOf, setBit, within } from './places.ts';
import { firstThatSucceeds, kept, locate, staticOracle, type Trial, trialOf } from './static.ts';
import { wrap } from './xxh64.ts';

const HEAD = 64;
const MARGIN = 64;
const MULTIPLIER = 0xd1342543de82ef95n;

interface Windows {
  /** Slots of all windows. */
  readonly slots: number;
  /** Slots of one window. */
  readonly length: number;
}

function windowsOf({ segmentBits, k }: Rules): Windows {
  const all = Math.floor((segmentBits - HEAD - MARGIN) / k);
  let log = 0;
  while (2 ** (log + 1) <= all) log++;
  let length = 2 ** Math.floor((4 * log + 12) / 7);
  while (3 * length > all) length /= 2;
  return { slots: length * Math.floor(all / length), length };
}

interface Edge {
  readonly slots: readonly number[];
  readonly fingerprint: bigint;
}

function edgeOf(fraction: bigint, trial: Trial, rules: Rules, former: boolean): Edge {
  const f = kept(fraction, trial);
  const g = wrap(f * (MULTIPLIER + 2n * BigInt(trial.trials)));
  const { slots, length } = windowsOf(rules);
  const first = Number(((f >> 32n) * BigInt(slots - 2 * length)) >> 32n);
  // The picks and fingerprints of kind 9 do not depend on these bits.
  const lower = former ? 0n : (g >> BigInt(32 - rules.k)) % (1n << 32n);
  const inWindow = (window: number, shift: bigint) => {
    const start = (Math.floor(first / length) + window) * length;
    return start + Number(BigInt(first % length) ^ ((g >> shift) % BigInt(length)));
  };
  const fingerprint = ((g >> 32n) ^ lower) % (1n << BigInt(rules.k));
  return { slots: [first, inWindow(1, 36n), inWindow(2, 50n)], fingerprint };
}

function slotAt(bytes: Uint8Array, slot: number, { k }: Rules): bigint {
  let value = 0n;
  for (let bit = k - 1; bit >= 0; bit--) value = 2n * value + (bitAt(bytes, HEAD + slot * k + bit) ? 1n : 0n);
  return value;
}

const xorOf = (bytes: Uint8Array, slots: readonly number[], rules: Rules) =>
  slots.reduce((xor, slot) => xor ^ slotAt(bytes, slot, rules), 0n);

/** Orders edges so that each has a slot that no later edge has; undefined if there is no such order. */
function peeled(edges: readonly Edge[]): { edge: Edge; slot: number }[] | undefined {
  const at = new Map<number, Set<Edge>>();
  for (const edge of edges) for (const slot of edge.slots) at.set(slot, (at.get(slot) ?? new Set()).add(edge));
  const order: { edge: Edge; slot: number }[] = [];
  const candidates = [...at.keys()];
  for (let slot = candidates.pop(); slot !== undefined; slot = candidates.pop()) {
    const [edge, ...others] = at.get(slot) ?? [];
    if (edge === undefined || others.length > 0) continue;
    order.push({ edge, slot });
    for (const other of edge.slots) at.get(other)?.delete(edge);
    candidates.push(...edge.slots);
  }
  return order.length === edges.length ? order : undefined;
}

function fill(segment: Uint8Array, fractions: ReadonlySet<bigint>, rules: Rules, former: boolean): void {
  const edgesOf = (trial: Trial) => [...fractions].map((fraction) => edgeOf(fraction, trial, rules, former));
  const order = firstThatSucceeds(segment, fractions, rules, (trial) => peeled(edgesOf(trial)));
  for (const { edge, slot } of order.toReversed()) {
    const value = edge.fingerprint ^ xorOf(segment, edge.slots, rules);
    for (let bit = 0; bit < rules.k; bit++)
      if ((value >> BigInt(bit)) % 2n === 1n) setBit(segment, HEAD + slot * rules.k + bit);
  }
}

const fuseOf = (former: boolean): Oracle => ({
  ...staticOracle((segment, fractions, rules) => fill(segment, fractions, rules, former)),
  mayContain(payload, key, rules) {
    const { segment, fraction } = locate(key, rules);
    const bytes = partsOf(payload, rules)[segment] ?? new Uint8Array();
    const { slots, fingerprint } = edgeOf(fraction, trialOf(bytes), rules, former);
    return xorOf(bytes, slots, rules) === fingerprint;
  },
  isLegal: (rules) => within(rules.k, 1, 32) && rules.segmentBits - HEAD - MARGIN >= 3 * rules.k && areFewOrFine(rules),
  bitsPerKey: 8.1,
});

export const fuse = fuseOf(false);

/** Kind 9, whose fingerprints share bits with the picks. */
export const formerFuse = fuseOf(true);
