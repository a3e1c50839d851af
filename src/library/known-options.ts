// The names of options. Callers may be untyped, and an unknown name is probably a misspelled one.

import { BloomError, valueType } from '../errors.ts';
import type { SaveOptions } from './filter.ts';
import type { BuildOptions, OpenOptions, SizeOptions } from './options.ts';

type Names<Options> = Readonly<Record<keyof Options, true>>;

const SIZE: Names<SizeOptions> = { kind: true, items: true, fpr: true, bits: true, bitsPerKey: true, hashes: true };

/** The options of each function. */
const KNOWN = {
  buildFilter: {
    ...SIZE,
    hash: true,
    seed: true,
    headroom: true,
    ignoreCase: true,
    trim: true,
    keyHash: true,
    hashed: true,
    note: true,
    stamp: true,
    lines: true,
  } satisfies Names<BuildOptions>,
  openFilter: {
    writable: true,
    format: true,
    column: true,
    keyType: true,
    keyHash: true,
    hashed: true,
    timeout: true,
    headers: true,
  } satisfies Names<OpenOptions>,
  openIndex: { timeout: true, headers: true } satisfies Names<Pick<OpenOptions, 'timeout' | 'headers'>>,
  save: { replace: true } satisfies Names<SaveOptions>,
  sizeFilter: SIZE,
};

/** The largest edit distance between an unknown name and the suggested one. */
const MOST_EDITS = 2;

/** Throws a `usage` error for a value that is not an object of options, or for an unknown option. */
export function requireKnown(of: keyof typeof KNOWN, options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new BloomError('usage', `the options of ${of} must be an object, not ${valueType(options)}`);
  const names = Object.keys(KNOWN[of]);
  const [unknown, ...others] = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown === undefined) return;
  if (others.length > 0)
    throw new BloomError(
      'usage',
      `${of} has no options ${[unknown, ...others].join(', ')}`,
      `known: ${names.join(', ')}`,
    );
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(name.toLowerCase(), unknown.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= MOST_EDITS && 2 * edits < name.length)
    .sort((a, b) => a.edits - b.edits);
  const hint = nearest === undefined ? `known: ${names.join(', ')}` : `did you mean ${nearest.name}?`;
  throw new BloomError('usage', `${of} has no option ${unknown}`, hint);
}

/** The smallest number of characters to insert, delete or replace that turns one text into another (Levenshtein). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
