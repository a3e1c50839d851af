import { missingOf } from '../engine/store/missing.ts';
import { insertedInto, type NamedFilter, notesOf, requireEqual } from '../engine/store/union.ts';
import { BloomError } from '../errors.ts';
import { type Description, withNetworksOf } from '../formats/description.ts';
import { count } from '../quantities.ts';
import { wholeOf } from '../sizing/share.ts';

/** Parts of a filter in their order, and the whole filter. */
export interface Joined<F extends NamedFilter> {
  readonly parts: readonly F[];
  readonly whole: Description;
}

/**
 * The filter that the files are parts of. Undefined if they are not parts, or all of one part. Throws a `mismatch`
 * error that names missing and repeated parts.
 */
export function joinedOf<F extends NamedFilter>(files: readonly F[]): Joined<F> | undefined {
  const [first, second] = files;
  if (first?.description.shape.share === undefined) return undefined;
  if (second !== undefined && files.every((file) => partOf(file) === partOf(first))) return undefined;
  requireEqual(first, files);
  const { parts } = first.description.shape.share;
  const parted = [...files].sort((a, b) => partOf(a) - partOf(b));
  requireOnce(parted, parts);
  requireAll(parted, parts);
  const descriptions = parted.map(({ description }) => description);
  const description = withNetworksOf(
    parted[0]?.description ?? first.description,
    descriptions.map(({ rules }) => rules),
  );
  return {
    parts: parted,
    whole: {
      ...description,
      shape: wholeOf(description.shape),
      inserted: insertedInto(descriptions),
      note: notesOf(descriptions),
      origin: undefined,
    },
  };
}

function partOf({ description: { shape } }: NamedFilter): number {
  return shape.share?.part ?? 0;
}

function requireOnce(parted: readonly NamedFilter[], parts: number): void {
  for (const [i, file] of parted.entries()) {
    const before = parted[i - 1];
    if (before === undefined || partOf(before) !== partOf(file)) continue;
    throw new BloomError(
      'mismatch',
      `part ${partOf(file)} of ${parts} is named twice, as ${before.name} and ${file.name}`,
      'leave one of them out or, if they have different keys, merge them first',
    );
  }
}

function requireAll(parted: readonly NamedFilter[], parts: number): void {
  const missing = missingOf(parted.map(partOf), parts);
  if (missing === undefined) return;
  throw new BloomError(
    'mismatch',
    `some of the ${count(parts)} parts of the filter are missing: ${missing}`,
    'name the files of all parts',
  );
}
