import { lengthsOf, markedAmong } from '../../engine/input/key-variants.ts';
import { describeKeys, type RecordKeys } from '../../engine/input/record-keys.ts';
import type { Content } from '../../engine/survey.ts';
import type { Fill, Shape } from '../../filters/kind.ts';
import { isOwnKind } from '../../filters/registry.ts';
import { type Description, fileBytes, targetOf } from '../../formats/description.ts';
import type { FilteredPart } from '../../formats/format.ts';
import { describeSlice } from '../../formats/origin.ts';
import { agreeing, bytes, count, duration, plural, rate, shortCount, speed, withNoun } from '../../quantities.ts';
import { type Estimate, lowerBound, roundedUp } from '../../sizing/cardinality.ts';
import { equalDigestRateIn, hasEqualDigests } from '../../sizing/equal-digests.ts';
import type { Measurement } from '../../sizing/interval.ts';
import { heldShare } from '../../sizing/share.ts';

/** One of the filters of a file with many filters. */
export interface ReportedPart extends FilteredPart {
  readonly shape: Shape;
  readonly content: Content;
  /** What is wrong with it. Undefined if nothing is. */
  readonly remark: string | undefined;
  /** Whether it may report members as absent, or accepts too many keys to be useful. */
  readonly isBad: boolean;
}

/** All facts about one filter. */
export interface Facts {
  readonly file: string;
  /** Time of the last change of the file, in seconds since 1970. Undefined if it is not a regular file. */
  readonly modified: number | undefined;
  readonly description: Description;
  readonly content: Content;
  /** How full its segments are, or the parts that replace segments. */
  readonly fills: readonly Fill[];
  /** The filters of the parts of its file, if it has several. */
  readonly parts: readonly ReportedPart[];
  /** The parts of its file that have keys but no filter. */
  readonly unfiltered: readonly string[];
  /** Whether every segment was compared with its checksum. */
  readonly verified: boolean;
  /** Whether it has a checksum. */
  readonly hasChecksum: boolean;
  /** Measured with random keys. Undefined if that was not requested. */
  readonly measured: Measurement | undefined;
  /** Measured with keys that are known to be absent. */
  readonly absent: (Measurement & Skipped) | undefined;
  /** Records with a key that should be present, and how many of them are missing. */
  readonly present: ({ readonly records: number; readonly missing: number } & Skipped) | undefined;
}

/** Records without a key, because a field is missing or is not a value of the key type. */
export interface Skipped {
  readonly skipped: number;
  /** The fields that are the keys of a record. */
  readonly keys: RecordKeys;
  /** The form of a key, such as a value of a type. Undefined for text, because every value is text. */
  readonly expected?: string | undefined;
}

/** Standard deviations by which a part may exceed its share of keys before it counts as overfull. */
const DEVIATIONS = 4;

/**
 * Whether a filter has more keys than its capacity. Estimates must exceed it with certainty, and so must a part,
 * which may have more keys than others by chance.
 */
export function isOverfull({ target, shape }: Description, { distinct }: Content): boolean {
  if (target === undefined) return false;
  const share = heldShare(shape);
  const chance = DEVIATIONS * Math.sqrt(target.capacity * share * (1 - share));
  return lowerBound(distinct) > target.capacity * share + chance;
}

/** The warning for an overfull filter. Undefined if it is not overfull, or hardly. */
export function overfullWarning(
  name: string,
  description: Description,
  content: Content,
): { message: string; hint: string } | undefined {
  const target = targetOf(description);
  if (target === undefined || !isOverfull(description, content)) return undefined;
  const { predictedFpr } = content;
  const { capacity, targetFpr } = target;
  const past = `${name} was sized for ${plural(capacity, 'key')} and has ${describeDistinct(content.distinct)}`;
  const rates = `its false-positive rate is ${rate(predictedFpr)}, the target ${rate(targetFpr)}`;
  return {
    // Small filters, and those that refuse keys, have some reserve.
    message: predictedFpr > targetFpr ? `${past}: ${rates}` : past,
    hint: `build it with -n ${shortCount(capacityFor(description, content))}`,
  };
}

/**
 * A round capacity that is enough for the filter, times a growth factor. For a part, the keys that all parts are
 * likely to have.
 */
export function capacityFor({ inserted, shape }: Description, { distinct }: Content, growth = 1): number {
  const keys = (distinct.isFloor ? inserted : undefined) ?? distinct.count;
  return roundedUp(Math.ceil((growth * keys) / heldShare(shape)));
}

/** "part 2 of 16". Empty for a whole filter. */
export function describePart({ share }: Shape): readonly string[] {
  return share === undefined ? [] : [`part ${share.part} of ${share.parts}`];
}

/**
 * Added keys according to the file. Undefined if the file does not state them, or states a wrong number as unions of
 * pybloom do.
 */
export function keysAdded({ inserted }: Description, { distinct }: Content): number | undefined {
  const isWrong = inserted !== undefined && distinct.error > 0 && lowerBound(distinct) > inserted;
  return isWrong ? undefined : inserted;
}

/** "344,012 keys (343,900 distinct), 3,297,280 bits (412 kB), k = 7, predicted rate 1.00 %" */
export function describeContent(description: Description, content: Content): string {
  const { shape } = description;
  const added = keysAdded(description, content);
  const distinct = describeDistinct(content.distinct);
  return [
    ...describePart(shape),
    ...describeSlice(description.origin),
    added === undefined
      ? withNoun(distinct, 'distinct key')
      : `${describeAdded(added, description)} (${distinct} distinct)`,
    `${plural(shape.bits, 'bit')} (${bytes(fileBytes(description))})`,
    `k = ${shape.k}`,
    `predicted rate ${describeRate(description, content)}`,
  ].join(', ');
}

/** "1,234 keys". Markers of networks count as keys too. */
export function describeAdded(added: number, { rules }: Pick<Description, 'rules'>): string {
  const { lengths = 0n, marked } = rules;
  const hasMarkers = markedAmong(lengthsOf(lengths).v4, marked).length > 0;
  return hasMarkers ? `${count(added)} networks and markers` : plural(added, 'key');
}

/** "1.00 %", or "1.00e-8 %, 5.42e-9 % of it from equal digests" if their share is relevant. */
export function describeRate({ kind, shape, target }: Description, { distinct, predictedFpr }: Content): string {
  const isRelevant = isOwnKind(kind) && target !== undefined && hasEqualDigests(target.capacity, target.targetFpr);
  if (!isRelevant) return rate(predictedFpr);
  return `${rate(predictedFpr)}, ${rate(equalDigestRateIn(shape, distinct.count))} of it from equal digests`;
}

/** "1,234" if counted, "about 1.23M" if estimated, "at least 1.23M" if all bits are set. */
export function describeDistinct({ count: items, error, isFloor }: Estimate): string {
  if (error === 0) return count(items);
  return `${isFloor ? 'at least' : 'about'} ${shortCount(items)}`;
}

/** "; 3 records have no field 2". Empty if there are none. */
export function describeSkipped(skipped: Skipped): string {
  return skipped.skipped === 0 ? '' : `; ${skippedText(skipped)}`;
}

/** The warning if records were read and none has a key: a flag is probably wrong. Undefined if some have a key. */
export function keylessWarning(keys: number, skipped: Skipped): string | undefined {
  return keys === 0 && skipped.skipped > 0 ? `${skippedText(skipped)}, so there are no keys` : undefined;
}

/** The note about added empty keys: every empty record of a query will match. */
export function emptyNote(empty: number): string {
  return `${plural(empty, 'empty key')} ${agreeing(empty, 'was')} added, as of blank lines; --skip-empty skips empty records`;
}

/** "3 records have no field 2", "1 record is no int64", "3 records have no int64 in field 2" */
export function skippedText({ skipped, keys, expected }: Skipped): string {
  const have = agreeing(skipped, 'has');
  const wanted = describeKeys(keys);
  const lack =
    expected === undefined
      ? `${have} no ${wanted ?? ''}`
      : wanted === undefined
        ? `${agreeing(skipped, 'is')} no ${expected}`
        : `${have} no ${expected} in ${wanted}`;
  return `${plural(skipped, 'record')} ${lack}`;
}

/** " (3 keys of other parts were left out)". Empty if there are none. */
export function describeElsewhere(keys: number): string {
  return keys === 0 ? '' : ` (${count(keys)} of other parts ${agreeing(keys, 'was')} left out)`;
}

/** "0.25 s, 4.0M keys/s" */
export function describeSpeed(keys: number, seconds: number): string {
  return keys === 0 ? duration(seconds) : `${duration(seconds)}, ${speed(keys / seconds, 'key')}`;
}
