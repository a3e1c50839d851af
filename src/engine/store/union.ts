import { BloomError } from '../../errors.ts';
import type { Enlarging, Shape } from '../../filters/kind.ts';
import { requireUse } from '../../filters/registry.ts';
import { type Description, withMoreKeys, withNetworksOf } from '../../formats/description.ts';
import type { BitArrayFile, FilterFile } from '../../formats/format.ts';
import { NOTE_LIMIT, type Note } from '../../formats/note.ts';
import { nameOfKeyHash } from '../../hashes/key-hashes.ts';
import { wholeOf, wholeSegments } from '../../sizing/share.ts';

/** The properties of a file that decide whether filters can be merged. */
export type NamedFilter<D extends Description = Description> = Pick<FilterFile, 'name'> &
  Pick<BitArrayFile, 'merging'> & { readonly description: D };

type Field = string | number | bigint | undefined;

/** A field of a filter that does not grow. Filters that grow differ in these fields whenever their keys differ. */
const fixed =
  (of: (shape: Shape) => Field) =>
  ({ description: { shape }, merging }: NamedFilter) =>
    shape.chain === undefined && !merging?.isChain ? of(shape) : undefined;

interface NamedField {
  readonly name: string;
  readonly of: (file: NamedFilter) => Field;
}

/**
 * The fields that must be equal so that the bits of two filters mean the same; names as in messages. A field is undefined for filters that
 * do not have it.
 */
const CASE_WORDS = { false: 'no', true: 'yes', unicode: 'unicode' } as const;

const FIELDS: readonly NamedField[] = [
  { name: 'format', of: ({ description }) => description.format.name },
  { name: 'kind', of: ({ description, merging }) => (merging?.isChain ? undefined : description.kind.name) },
  { name: 'bits', of: fixed((shape) => wholeOf(shape).bits) },
  { name: 'hashes', of: fixed(({ k }) => k) },
  { name: 'segments', of: fixed(wholeSegments) },
  { name: 'number of parts', of: fixed(({ share }) => share?.parts ?? 1) },
  { name: 'bits of a segment', of: ({ description: { shape } }) => shape.chain && shape.segmentBits },
  { name: 'growth', of: ({ description }) => description.shape.chain?.growth },
  { name: 'tightening', of: ({ description }) => description.shape.chain?.tightening },
  { name: 'rate', of: ({ description }) => description.shape.chain?.fpr },
  { name: 'hash', of: ({ description }) => description.rules.hash },
  { name: 'seed', of: ({ description }) => description.rules.seed },
  { name: 'ignore-case', of: ({ description }) => CASE_WORDS[`${description.rules.ignoreCase}`] },
  { name: 'domain names', of: ({ description }) => (description.rules.encoding === 'domain' ? 'yes' : 'no') },
  { name: 'networks', of: ({ description }) => (description.rules.encoding === 'network' ? 'yes' : 'no') },
  { name: 'trim', of: ({ description }) => (description.rules.trim ? 'yes' : 'no') },
  { name: 'key hash', of: ({ description: { rules } }) => (rules.keyHash ? nameOfKeyHash(rules.keyHash) : 'none') },
];

/**
 * The description of the union: the largest filter with the keys of all, in a larger shape if necessary and if the kind has one. Throws a
 * `mismatch` error that lists every difference.
 */
export function unionOf<D extends Description>(files: readonly NamedFilter<D>[]): D {
  const [first] = files;
  if (first === undefined) throw new BloomError('usage', 'no filter is named');
  for (const { description, name } of files) requireUse(description.kind, 'merge', name);
  // A new file has tags if its shape needs them, whether or not the inputs have tags.
  const descriptions = files.map(({ description }) => ({ ...description, isTagged: undefined }));
  const largestOne = descriptions.reduce((a, b) => (b.shape.bits > a.shape.bits ? b : a));
  const largest = withNetworksOf(
    largestOne,
    descriptions.map(({ rules }) => rules),
  );
  requireEqual(first, files, (file) => enlargedTo(file, largest));
  const inserted = insertedInto(descriptions);
  const note = notesOf(descriptions);
  const { kind } = largest;
  if (kind.concatenated !== undefined) {
    const shape = kind.concatenated(descriptions.map((description) => description.shape));
    return { ...withMoreKeys(largest, shape, 0), inserted, note, origin: undefined };
  }
  const { enlarging } = kind;
  if (enlarging === undefined || inserted === undefined) return { ...largest, inserted, note, origin: undefined };
  return { ...largest, inserted, note, origin: undefined, shape: shapeForKeys(enlarging, largest.shape, inserted) };
}

/** The number of keys that were added to all filters; undefined if one filter does not state it. */
export function insertedInto(descriptions: readonly Description[]): number | undefined {
  return descriptions
    .map(({ inserted }) => inserted)
    .reduce((all, some) => (all === undefined || some === undefined ? undefined : all + some), 0);
}

/** The notes of some filters: each text once, as far as they fit, and the latest creation time. */
export function notesOf(descriptions: readonly Pick<Description, 'note'>[]): Note | undefined {
  const notes = descriptions.flatMap(({ note }) => note ?? []);
  if (notes.length === 0) return undefined;
  const whole = new Set(notes.map(({ text }) => text));
  // A note of an earlier union is split, so that no text is repeated.
  const texts = whole.size === 1 ? [...whole] : [...new Set([...whole].flatMap((text) => text.split(BETWEEN)))];
  const created = notes.flatMap((note) => note.created ?? []);
  return {
    text: joined(texts.filter((text) => text !== '')),
    ...(created.length > 0 && { created: Math.max(...created) }),
  };
}

const BETWEEN = '; ';
const AND_OTHERS = '...';

/** Texts one after the other. If they do not all fit, only the first ones. */
function joined(texts: readonly string[]): string {
  const fits = (text: string) => Buffer.byteLength(text) <= NOTE_LIMIT;
  const whole = texts.join(BETWEEN);
  if (fits(whole)) return whole;
  let count = texts.length;
  const some = () => [...texts.slice(0, count), AND_OTHERS].join(BETWEEN);
  while (!fits(some())) count--;
  return some();
}

/** Whether two filters can be merged without a change of shape. */
export function areAlike(one: NamedFilter, another: NamedFilter): boolean {
  return FIELDS.every(({ of }) => of(one) === of(another));
}

/** Throws a `mismatch` error for filters that differ from the first one after `brought` was applied, which may enlarge them. */
export function requireEqual(
  first: NamedFilter,
  files: readonly NamedFilter[],
  brought = (file: NamedFilter) => file,
): void {
  const fields = [...FIELDS, ...Object.keys(first.merging?.fields ?? {}).map(fieldOfFormat)];
  const differences = files.flatMap((other) =>
    fields
      .filter(({ of }) => {
        const [one, another] = [of(brought(first)), of(brought(other))];
        return one !== undefined && another !== undefined && one !== another;
      })
      .map(({ name, of }) => `${name} is ${of(other)} in ${other.name}, ${of(first)} in ${first.name}`),
  );
  if (differences.length === 0) return;
  throw new BloomError(
    'mismatch',
    `the filters do not fit together: ${differences.join('; ')}`,
    files.some((file) => file.description.format !== first.description.format)
      ? `build all of them in one format, with --like ${first.name}`
      : `build them with the same -n and -p, or with --like ${first.name}`,
  );
}

/** A field that only the files of one format have. */
function fieldOfFormat(name: string): NamedField {
  return { name, of: ({ merging }) => merging?.fields[name] };
}

/** The description of a filter as if it were enlarged to the size of the largest, as far as its kind allows this. */
function enlargedTo({ name, description, merging }: NamedFilter, largest: Description): NamedFilter {
  let { shape } = description;
  while (description.kind === largest.kind && shape.bits < largest.shape.bits) {
    const larger = largest.kind.enlarging?.larger(shape);
    if (larger === undefined) break;
    shape = { ...shape, ...larger };
  }
  return { name, description: { ...description, shape }, merging };
}

/** The smallest larger shape with the capacity for this many keys; the largest shape if none suffices. */
function shapeForKeys(enlarging: Enlarging, least: Shape, keys: number): Shape {
  let shape = least;
  while (keys > enlarging.capacity(shape)) {
    const larger = enlarging.larger(shape);
    if (larger === undefined) break;
    shape = larger;
  }
  return shape;
}
