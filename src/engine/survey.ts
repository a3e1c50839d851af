import { damaged } from '../errors.ts';
import type { Detail, Fill } from '../filters/kind.ts';
import { type Description, fileBytes, targetOf } from '../formats/description.ts';
import { fingerprintText } from '../formats/origin.ts';
import { type KeyHash, nameOfKeyHash } from '../hashes/key-hashes.ts';
import { type Estimate, lowerBound, upperBound } from '../sizing/cardinality.ts';
import { lengthsOf, markedAmong } from './input/key-variants.ts';

/** The content of a filter, derived from its bits. */
export interface Content {
  /** The share of bits, counters or slots that are in use; in a Bloom filter, the share of ones. */
  readonly fillRatio: number;
  readonly units: string;
  readonly details: readonly Detail[];
  /** Distinct keys. */
  readonly distinct: Estimate;
  /** The predicted false-positive rate, derived from the bits. */
  readonly predictedFpr: number;
}

/** Derives the content from the fill of the segments. `exact` is the number of distinct keys, if it is known. */
export function surveyContent(description: Description, fill: readonly Fill[], exact?: number): Content {
  const { format, kind, shape, inserted = Number.POSITIVE_INFINITY, countsNew = false } = description;
  const byBits = kind.itemsFromFill(fill, shape);
  // Each counted key set a bit, so a count above the number of ones is wrong and ignored.
  const isCounted = countsNew && inserted > upperBound(byBits) && inserted <= kind.fillRatio(fill, shape) * shape.bits;
  const estimate = isCounted ? { count: inserted, error: byBits.error } : byBits;
  // There are never more distinct keys than keys. But a file without a checksum may state too few keys: a number below the lower bound is
  // ignored.
  const isBelieved = format.integrity !== undefined || lowerBound(estimate) <= inserted;
  const bounded = isBelieved ? { ...estimate, count: Math.min(estimate.count, inserted) } : estimate;
  return {
    fillRatio: kind.fillRatio(fill, shape),
    units: kind.units,
    details: kind.details(fill, shape),
    distinct: exact === undefined ? bounded : { count: exact, error: 0 },
    predictedFpr: kind.rateFromFill(fill, shape),
  };
}

/**
 * The content of a filter that was read, as its table states. Throws a `format` error for a table with correct checksums and an impossible
 * fill: nothing may be derived from it.
 */
export function contentInFile(description: Description, fill: readonly Fill[], name: string): Content {
  const { kind, shape: whole } = description;
  // Slices or parts have a fill only together. So do segments with a common cache.
  const hasCache = whole.bits > whole.segments * whole.segmentBits;
  const isChained = hasCache || (whole.chain ?? whole.links ?? whole.parts) !== undefined;
  const parts = isChained ? [fill] : fill.map((of) => [of]);
  const shape = isChained ? whole : { ...whole, segments: 1, bits: whole.segmentBits };
  const isShare = (value: number) => value >= 0 && value <= 1;
  const isPossible = (part: readonly Fill[]) =>
    isShare(kind.fillRatio(part, shape)) &&
    isShare(kind.rateFromFill(part, shape)) &&
    kind.itemsFromFill(part, shape).count >= 0;
  const wrong = parts.findIndex((part) => !isPossible(part));
  if (wrong >= 0) {
    throw damaged(name, `its table states an impossible fill of ${isChained ? 'the filter' : `segment ${wrong + 1}`}`);
  }
  return surveyContent(description, fill);
}

/** The summary of a filter, by the names that it has everywhere (JSON.md lists them all). */
export function summaryOf(description: Description, content: Content) {
  const { format, kind, shape, rules, keyType = 'text', inserted, origin } = description;
  const target = targetOf(description);
  const { details, distinct, predictedFpr, fillRatio } = content;
  return {
    format: format.name,
    kind: kind.name,
    hash: rules.hash,
    seed: seedNumber(rules.seed),
    ignoreCase: rules.ignoreCase,
    trim: rules.trim,
    keyHash: keyHashText(rules.keyHash),
    keyType,
    part: shape.share === undefined ? null : `${shape.share.part}/${shape.share.parts}`,
    slice: origin === undefined || origin.slices === 1 ? null : `${origin.slice}/${origin.slices}`,
    inputs: origin === undefined ? null : fingerprintText(origin),
    bits: shape.bits,
    hashes: shape.k,
    segments: shape.segments,
    bytes: fileBytes(description),
    bitsPerKey: target !== undefined && target.capacity > 0 ? shape.bits / target.capacity : null,
    capacity: target?.capacity ?? null,
    targetFpr: target?.targetFpr ?? null,
    predictedFpr,
    inserted: inserted ?? null,
    estimatedItems: Math.round(distinct.count),
    estimateIsExact: distinct.error === 0,
    fillRatio,
    ...Object.fromEntries(details.map(({ name, value }) => [name, value])),
    ...(rules.lengths !== undefined && lengthsSummary(rules.lengths, rules.marked)),
  };
}

function lengthsSummary(lengths: bigint, marked: number | undefined) {
  const { v4, v6 } = lengthsOf(lengths);
  return { ipv4Lengths: v4, ipv4Markers: markedAmong(v4, marked), ipv6Lengths: v6 };
}

/** The key hash in JSON. */
export function keyHashText(keyHash: KeyHash | undefined): string | null {
  return keyHash === undefined ? null : nameOfKeyHash(keyHash);
}

/** Above 2^53, a JSON number would lose digits. */
export function seedNumber(seed: bigint): number | string {
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : String(seed);
}
