import { describeKeys, type RecordKeys } from '../../engine/input/record-keys.ts';
import type { Content } from '../../engine/survey.ts';
import type { Fill, Shape } from '../../filters/kind.ts';
import { type Description, fileBytes, targetOf } from '../../formats/description.ts';
import type { FilteredPart } from '../../formats/format.ts';
import type { KeyType } from '../../formats/key-types.ts';
import { bytes, count, duration, plural, rate, shortCount, speed, withNoun } from '../../quantities.ts';
import { type Estimate, lowerBound, roundedUp } from '../../sizing/cardinality.ts';
import type { Measurement } from '../../sizing/interval.ts';
import { heldShare } from '../../sizing/share.ts';

/** One of the filters of a file of many. */
export interface ReportedPart extends FilteredPart {
  readonly shape: Shape;
  readonly content: Content;
  /** What is wrong with it; undefined if nothing is. */
  readonly remark: string | undefined;
  /** It may lie, or says yes too often to be of use. */
  readonly isBad: boolean;
}

/** Everything that is known of one filter. */
export interface Facts {
  readonly file: string;
  /** When the file was changed last, in seconds since 1970; undefined for what is no file. */
  readonly modified: number | undefined;
  readonly description: Description;
  readonly content: Content;
  /** How full its segments are, or what it has in their place. */
  readonly fills: readonly Fill[];
  /** The filters that it is made of, where they are of parts of its file. */
  readonly parts: readonly ReportedPart[];
  /** Where in its file keys are of which there is no filter. */
  readonly unfiltered: readonly string[];
  /** Every segment was compared with its checksum. */
  readonly verified: boolean;
  /** There is something to compare with. */
  readonly hasChecksum: boolean;
  /** On random keys; undefined if none were asked for. */
  readonly measured: Measurement | undefined;
  /** On keys that are known to be absent. */
  readonly absent: (Measurement & Skipped) | undefined;
  /** Records with a key that should be found, and those that were not. */
  readonly present: ({ readonly records: number; readonly missing: number } & Skipped) | undefined;
}

/** Records that have no key, for want of a field, or because what it has is no value of the type of keys. */
export interface Skipped {
  readonly skipped: number;
  /** What the keys of a record are. */
  readonly keys: RecordKeys;
  /** The type; text, which everything is, if undefined. */
  readonly keyType?: KeyType | undefined;
}

/** Standard deviations by which a part has more keys than its share before that is called too many. */
const DEVIATIONS = 4;

/**
 * Whether a filter holds more keys than it was sized for; where they are estimated, or it is a part that got more than others by
 * chance, for certain.
 */
export function isOverfull({ target, shape }: Description, { distinct }: Content): boolean {
  if (target === undefined) return false;
  const share = heldShare(shape);
  const chance = DEVIATIONS * Math.sqrt(target.capacity * share * (1 - share));
  return lowerBound(distinct) > target.capacity * share + chance;
}

/** What to say of a filter that holds more than it was sized for; undefined if it does not, or hardly. */
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
    // Small filters and those that refuse keys have some room to spare.
    message: predictedFpr > targetFpr ? `${past}: ${rates}` : past,
    hint: `build it with -n ${shortCount(roomFor(description, content))}`,
  };
}

/** A round number of keys for which a filter is large enough, times a factor of growth; for a part, the keys that all parts are likely to have. */
export function roomFor({ inserted, shape }: Description, { distinct }: Content, growth = 1): number {
  const keys = (distinct.isFloor ? inserted : undefined) ?? distinct.count;
  return roundedUp(Math.ceil((growth * keys) / heldShare(shape)));
}

/** "part 2 of 16", nothing for a whole filter. */
export function describePart({ share }: Shape): readonly string[] {
  return share === undefined ? [] : [`part ${share.part} of ${share.parts}`];
}

/** How many keys were added, as the file says; undefined where it does not, or is wrong, as the unions of pybloom are. */
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
    added === undefined ? withNoun(distinct, 'distinct key') : `${plural(added, 'key')} (${distinct} distinct)`,
    `${plural(shape.bits, 'bit')} (${bytes(fileBytes(description))})`,
    `k = ${shape.k}`,
    `predicted rate ${rate(content.predictedFpr)}`,
  ].join(', ');
}

/** "1,234" when counted, "about 1.23M" when estimated, "at least 1.23M" when all bits are set. */
export function describeDistinct({ count: items, error, isFloor }: Estimate): string {
  if (error === 0) return count(items);
  return `${isFloor ? 'at least' : 'about'} ${shortCount(items)}`;
}

/** "; 3 records have no field 2", or nothing if there are none. */
export function describeSkipped(skipped: Skipped): string {
  return skipped.skipped === 0 ? '' : `; ${whatIsSkipped(skipped)}`;
}

/** What to say if records were read and none of them has a key: a wrong flag is likely. Undefined if some have one. */
export function keylessWarning(keys: number, skipped: Skipped): string | undefined {
  return keys === 0 && skipped.skipped > 0 ? `${whatIsSkipped(skipped)}, so there are no keys` : undefined;
}

/** What to say of added keys without any byte: every empty record of a query will match them. */
export function emptyNote(empty: number): string {
  return `${plural(empty, 'empty key')} ${empty === 1 ? 'was' : 'were'} added, as of blank lines; --skip-empty skips empty records`;
}

/** "3 records have no field 2", "1 record is no int64", "3 records have no int64 in field 2" */
export function whatIsSkipped({ skipped, keys, keyType }: Skipped): string {
  const [be, have] = skipped === 1 ? ['is', 'has'] : ['are', 'have'];
  const wanted = describeKeys(keys);
  const lack =
    keyType === undefined
      ? `${have} no ${wanted ?? ''}`
      : wanted === undefined
        ? `${be} no ${keyType}`
        : `${have} no ${keyType} in ${wanted}`;
  return `${plural(skipped, 'record')} ${lack}`;
}

/** " (3 of other parts were left out)", nothing if there were none. */
export function describeElsewhere(keys: number): string {
  return keys === 0 ? '' : ` (${count(keys)} of other parts ${keys === 1 ? 'was' : 'were'} left out)`;
}

/** "0.25 s, 4.0M keys/s" */
export function describeSpeed(keys: number, seconds: number): string {
  return keys === 0 ? duration(seconds) : `${duration(seconds)}, ${speed(keys / seconds, 'key')}`;
}
