/** What the keys of a record are. Where it may have several, each of them is one. */
export type RecordKeys =
  | { readonly type: 'record' }
  | FieldKeys
  | { readonly type: 'words' }
  /** The text, number or boolean that a line of JSON has at a path of names. */
  | { readonly type: 'value'; readonly path: readonly string[] };

/** Some of its fields, as `cut` has them. */
export interface FieldKeys {
  readonly type: 'fields';
  /** Which ones, in any order; a record has each of them once. */
  readonly ranges: readonly FieldRange[];
  readonly separator: Separator;
  /** They are one key: with the text between them that separates them, the first of the characters whose runs do, or NUL in CSV. */
  readonly areOne?: boolean;
}

/** Fields from one to another, counted from 1 or, if negative, from the last, which is -1. */
export interface FieldRange {
  readonly from: number;
  readonly to: number;
}

/** What separates fields: a text, between which there are empty ones, or runs of some bytes, between which there are none. */
export type Separator =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'runs'; readonly of: string }
  /** An ASCII character between fields that may be in quotes, as RFC 4180 has it: then records have newlines in them. */
  | { readonly type: 'csv'; readonly delimiter: string };

/** Its only key is the record. */
export const WHOLE_RECORD: RecordKeys = { type: 'record' };

/** Runs of blanks, as awk has them. */
export const BLANKS = { type: 'runs', of: ' \t' } as const satisfies Separator;

/** Each field. */
export const ALL_FIELDS: readonly FieldRange[] = [{ from: 1, to: -1 }];

/** A text between fields. */
export function textSeparator(text: string): Separator {
  return { type: 'text', text };
}

/** The keys of a record that are its field of this number. */
export function fieldKeys(number: number, separator: Separator = BLANKS): FieldKeys {
  return { type: 'fields', ranges: [{ from: number, to: number }], separator };
}

/** The keys of a record that are all of its fields. */
export function allFieldKeys(separator: Separator = BLANKS): FieldKeys {
  return { type: 'fields', ranges: ALL_FIELDS, separator };
}

/** Whether each field of a record is a key. */
export function isEveryField({ ranges }: FieldKeys): boolean {
  return ranges.some(({ from, to }) => from === 1 && to === -1);
}

/** The same keys, but that those fields of a list that a record has are one. */
export function joinedKeys(keys: RecordKeys): RecordKeys {
  return keys.type === 'fields' && mayBeSeveral(keys) ? { ...keys, areOne: true } : keys;
}

/** Whether a record may have more keys than one. */
export function mayBeSeveral(keys: RecordKeys): boolean {
  if (keys.type !== 'fields') return keys.type === 'words';
  if (keys.areOne) return false;
  const [only, ...others] = keys.ranges;
  return others.length > 0 || only?.from !== only?.to;
}

/** "field 2", "fields 1,3-5", "fields" if it is any of them; undefined if it is the record. */
export function describeKeys(keys: RecordKeys): string | undefined {
  if (keys.type === 'record') return undefined;
  if (keys.type === 'words') return 'words';
  if (keys.type === 'value') return `value of ${keys.path.join('.')}`;
  if (isEveryField(keys)) return 'fields';
  const ranges = keys.ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to === -1 ? '' : to}`));
  return `${mayBeSeveral({ ...keys, areOne: false }) ? 'fields' : 'field'} ${ranges.join(',')}`;
}
