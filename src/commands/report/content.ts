import { damaged } from '../../errors.ts';
import type { Detail, Fill, FilterKind } from '../../filters/kind.ts';
import { fileBytes, type Header } from '../../formats/bloomery/header.ts';
import { type Estimate, lowerBound, roundedUp } from '../../sizing/cardinality.ts';
import type { Measurement } from '../../sizing/interval.ts';
import { bytes, count, duration, plural, rate, shortCount } from '../../terminal/quantities.ts';

/** What a filter holds, from its bits. */
export interface Content {
  /** The share of its places that are taken: ones among the bits of a Bloom filter. */
  readonly fillRatio: number;
  readonly places: string;
  readonly details: readonly Detail[];
  /** Distinct keys. */
  readonly distinct: Estimate;
  /** False-positive rate that follows from the bits. */
  readonly predictedFpr: number;
}

/** Everything that is known of one filter. */
export interface Facts {
  readonly file: string;
  /** When the file was changed last, in seconds since 1970; undefined for what is no file. */
  readonly modified: number | undefined;
  readonly kind: string;
  readonly header: Header;
  readonly content: Content;
  /** Every segment was compared with its checksum. */
  readonly verified: boolean;
  /** On random keys; undefined if none were asked for. */
  readonly measured: Measurement | undefined;
  /** On keys that are known to be absent. */
  readonly absent: (Measurement & Skipped) | undefined;
  /** Records with a key that should be found, and those that were not. */
  readonly present: ({ readonly records: number; readonly missing: number } & Skipped) | undefined;
}

/** Records that have no key, for want of a field. */
export interface Skipped {
  readonly skipped: number;
  /** The field. */
  readonly field: number | undefined;
}

/** Derives the content from the fill of the segments; `exact` is the number of distinct keys where it is known. */
export function surveyContent(kind: FilterKind, header: Header, fill: readonly Fill[], exact?: number): Content {
  const estimate = kind.itemsFromFill(fill, header);
  // There are never more distinct keys than keys.
  const bounded = { ...estimate, count: Math.min(estimate.count, header.inserted) };
  return {
    fillRatio: kind.fillRatio(fill, header),
    places: kind.places,
    details: kind.details(fill, header),
    distinct: exact === undefined ? bounded : { count: exact, error: 0 },
    predictedFpr: kind.rateFromFill(fill, header),
  };
}

/**
 * The content of a filter that was read, as its table tells. Throws a `format` error for a table whose checksums are
 * right, but in which segments are fuller than they can be: what follows from it must not be stated.
 */
export function contentInFile(kind: FilterKind, header: Header, packed: readonly number[], name: string): Content {
  // What slices have in common is known of all of them together.
  const isChained = header.chain !== undefined;
  const parts = isChained ? [packed] : packed.map((of) => [of]);
  const shape = isChained ? header : { ...header, segments: 1, bits: header.segmentBits };
  const isShare = (value: number) => value >= 0 && value <= 1;
  const unpacked = (part: readonly number[]) => part.map((of) => kind.unpackFill(of));
  const isPossible = (part: readonly number[]) => {
    const fill = unpacked(part);
    return (
      part.every(Number.isSafeInteger) &&
      isShare(kind.fillRatio(fill, shape)) &&
      isShare(kind.rateFromFill(fill, shape)) &&
      kind.itemsFromFill(fill, shape).count >= 0
    );
  };
  const wrong = parts.findIndex((part) => !isPossible(part));
  if (wrong >= 0) {
    throw damaged(name, `its table says that ${isChained ? 'it' : `segment ${wrong + 1}`} is fuller than it can be`);
  }
  return surveyContent(kind, header, unpacked(packed));
}

/** Whether a filter holds more keys than it was sized for; where they are estimated, for certain. */
export function isOverfull({ capacity }: Header, { distinct }: Content): boolean {
  return lowerBound(distinct) > capacity;
}

/** What to say of a filter that holds more than it was sized for; undefined if it does not, or hardly. */
export function overfullWarning(
  name: string,
  header: Header,
  content: Content,
): { message: string; hint: string } | undefined {
  if (!isOverfull(header, content)) return undefined;
  const { predictedFpr } = content;
  const { capacity, targetFpr } = header;
  const past = `${name} was sized for ${plural(capacity, 'key')} and has ${describeDistinct(content.distinct)}`;
  const rates = `its false-positive rate is ${rate(predictedFpr)}, the target ${rate(targetFpr)}`;
  return {
    // Small filters and those that refuse keys have some room to spare.
    message: predictedFpr > targetFpr ? `${past}: ${rates}` : past,
    hint: `build it with -n ${shortCount(roomFor(header, content))}`,
  };
}

/** A round number of keys that is no less than what is there. */
export function roomFor(header: Header, { distinct }: Content): number {
  return roundedUp(distinct.isFloor ? header.inserted : distinct.count);
}

/** "344,012 keys (343,900 distinct), 3,297,280 bits (412 kB), k = 7, predicted rate 1.00 %" */
export function describeContent(header: Header, content: Content): string {
  const distinct = describeDistinct(content.distinct);
  return [
    `${plural(header.inserted, 'key')} (${distinct} distinct)`,
    `${count(header.bits)} bits (${bytes(fileBytes(header))})`,
    `k = ${header.k}`,
    `predicted rate ${rate(content.predictedFpr)}`,
  ].join(', ');
}

/** "1,234" when counted, "about 1.23M" when estimated, "at least 1.23M" when all bits are set. */
export function describeDistinct({ count: items, error, isFloor }: Estimate): string {
  if (error === 0) return count(items);
  return `${isFloor ? 'at least' : 'about'} ${shortCount(items)}`;
}

/** "; 3 records have no field 2", or nothing if there are none. */
export function describeSkipped({ skipped, field }: Skipped): string {
  if (skipped === 0) return '';
  return `; ${count(skipped)} ${skipped === 1 ? 'record has' : 'records have'} no field ${field ?? ''}`;
}

/** "0.25 s, 4.0M keys/s" */
export function describeSpeed(keys: number, seconds: number): string {
  return keys === 0 ? duration(seconds) : `${duration(seconds)}, ${shortCount(keys / seconds)} keys/s`;
}
