// Filters that were built of slices or parts of the same inputs. A merge must have all of them.

import { BloomError } from '../../errors.ts';
import type { Description } from '../../formats/description.ts';
import { describeSlice, type Origin } from '../../formats/origin.ts';
import { count } from '../../quantities.ts';
import { missingOf } from './missing.ts';

/** A filter by its name, with its origin. */
export interface NamedOrigin {
  readonly name: string;
  readonly description: Pick<Description, 'origin' | 'shape'>;
}

interface Recorded {
  readonly name: string;
  readonly origin: Origin;
}

/**
 * Throws a `mismatch` error unless each slice of the inputs of these filters occurs exactly once. Filters without an origin may be among
 * them, and all slices of other inputs too.
 */
export function requireAllSlices(files: readonly NamedOrigin[]): void {
  const groups = byInputs(recordedIn(files));
  for (const group of groups) requireOnce(group);
  const missing = (group: readonly Recorded[]) =>
    missingOf(
      group.map(({ origin }) => origin.slice),
      group[0]?.origin.slices ?? 0,
    );
  const bySize = groups.toSorted((a, b) => a.length - b.length);
  const incomplete = bySize.find((group) => missing(group) !== undefined);
  const [first] = incomplete ?? [];
  if (incomplete === undefined || first === undefined) return;
  const [other] = bySize.findLast((group) => group !== incomplete) ?? [];
  if (other !== undefined) throw foreignTo(other, first);
  throw new BloomError(
    'mismatch',
    `some of the ${count(first.origin.slices)} slices of the inputs are missing: ${missing(incomplete)}`,
    'name the filters of all slices, or add --partial',
  );
}

/** Throws a `mismatch` error for parts that were built of different inputs. */
export function requireSameInputs(parts: readonly NamedOrigin[]): void {
  const [[one] = [], [foreign] = []] = byInputs(recordedIn(parts), ({ slice }) => slice);
  if (one !== undefined && foreign !== undefined) throw foreignTo(one, foreign);
}

/** The origin of the union of all slices. It is recorded only for a part, because its inputs must be those of the other parts. */
export function originOfSlices(files: readonly NamedOrigin[]): Origin | undefined {
  const [one, other] = byInputs(recordedIn(files));
  const isOfPart = files[0]?.description.shape.share !== undefined;
  if (!isOfPart || one?.[0] === undefined || other !== undefined || one.length < files.length) return undefined;
  return { slice: 1, slices: 1, inputs: one[0].origin.inputs };
}

/** The origin of the filter that consists of parts of the same inputs. It is recorded only for a slice. */
export function originOfParts(parts: readonly NamedOrigin[]): Origin | undefined {
  const recorded = recordedIn(parts);
  const [one] = recorded;
  return one !== undefined && one.origin.slices > 1 && recorded.length === parts.length ? one.origin : undefined;
}

function recordedIn(files: readonly NamedOrigin[]): Recorded[] {
  return files.flatMap(({ name, description: { origin } }) => (origin === undefined ? [] : [{ name, origin }]));
}

/** Groups filters by their inputs, by the number of slices and by a further field. */
function byInputs(files: readonly Recorded[], further = (_: Origin) => 0): Recorded[][] {
  const groups = new Map<string, Recorded[]>();
  for (const file of files) {
    const key = `${file.origin.inputs} ${file.origin.slices} ${further(file.origin)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}

function requireOnce(group: readonly Recorded[]): void {
  const known = new Map<number, string>();
  for (const { name, origin } of group) {
    const before = known.get(origin.slice);
    known.set(origin.slice, name);
    if (before === undefined) continue;
    throw new BloomError(
      'mismatch',
      `${before} and ${name} were built of the same inputs${ofSlice(origin)}`,
      'leave one of them out, or add --partial',
    );
  }
}

function foreignTo(one: Recorded, foreign: Recorded): BloomError {
  const isSame = one.origin.inputs === foreign.origin.inputs && one.origin.slices === foreign.origin.slices;
  const message = isSame
    ? `${foreign.name} was built of ${describeSlice(foreign.origin)[0]}, and ${one.name} of ${describeSlice(one.origin)[0]}`
    : `${foreign.name} was built of other inputs than ${one.name}`;
  return new BloomError('mismatch', message, 'build it of the same files, with the same flags, or add --partial');
}

function ofSlice(origin: Origin): string {
  return describeSlice(origin)
    .map((slice) => `, ${slice}`)
    .join('');
}
