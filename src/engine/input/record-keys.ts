/** The keys of a record. If a selection may give several keys, each of them is one. */
export type RecordKeys =
  | { readonly type: 'record' }
  | FieldKeys
  | { readonly type: 'words' }
  /** The text, number or boolean at a path of names in a line of JSON. */
  | { readonly type: 'value'; readonly path: readonly string[] };

/** Some fields of a record, as in `cut`. */
export interface FieldKeys {
  readonly type: 'fields';
  /** The wanted fields, in any order; each field counts once per record. */
  readonly ranges: readonly FieldChoice[];
  readonly separator: Separator;
  /**
   * The fields are joined to one key. Between them is the separating text, the first of the characters whose runs separate, or NUL in CSV.
   */
  readonly areOne?: boolean;
}

/** Fields from one to another, counted from 1 or, if negative, from the last, which is -1. */
export interface FieldRange {
  readonly from: number;
  readonly to: number;
}

/** A field by the name that the header of its input gives it. */
export interface NamedColumn {
  readonly column: string;
}

export type FieldChoice = FieldRange | NamedColumn;

/** Whether a choice is a range of numbers. */
export function isRange(choice: FieldChoice | undefined): choice is FieldRange {
  return choice !== undefined && 'from' in choice;
}

/** The separator of fields: a text, between which fields may be empty, or runs of some bytes, between which they never are. */
export type Separator =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'runs'; readonly of: string }
  /** An ASCII character between fields that may be in quotes (RFC 4180). Records may then contain newlines. */
  | { readonly type: 'csv'; readonly delimiter: string };

/** The record is its only key. */
export const WHOLE_RECORD: RecordKeys = { type: 'record' };

/** Runs of blanks, as in awk. */
export const BLANKS = { type: 'runs', of: ' \t' } as const satisfies Separator;

/** Every field. */
export const ALL_FIELDS: readonly FieldRange[] = [{ from: 1, to: -1 }];

/** A text between fields. */
export function textSeparator(text: string): Separator {
  return { type: 'text', text };
}

/** Field `number` as the key of a record. */
export function fieldKeys(number: number, separator: Separator = BLANKS): FieldKeys {
  return { type: 'fields', ranges: [{ from: number, to: number }], separator };
}

/** All fields as keys of a record. */
export function allFieldKeys(separator: Separator = BLANKS): FieldKeys {
  return { type: 'fields', ranges: ALL_FIELDS, separator };
}

/** Whether every field of a record is a key. */
export function isEveryField({ ranges }: FieldKeys): boolean {
  return ranges.filter(isRange).some(({ from, to }) => from === 1 && to === -1);
}

/** The same fields; several fields are joined to one key. */
export function joinedKeys(keys: RecordKeys): RecordKeys {
  return keys.type === 'fields' && mayBeSeveral(keys) ? { ...keys, areOne: true } : keys;
}

/** Whether a record may have several keys. */
export function mayBeSeveral(keys: RecordKeys): boolean {
  if (keys.type !== 'fields') return keys.type === 'words';
  if (keys.areOne) return false;
  const [only, ...others] = keys.ranges;
  return others.length > 0 || (isRange(only) && only.from !== only.to);
}

/** "field 2", "fields 1,3-5", or "fields" for every field; undefined for whole records. */
export function describeKeys(keys: RecordKeys): string | undefined {
  if (keys.type === 'record') return undefined;
  if (keys.type === 'words') return 'words';
  if (keys.type === 'value') return `value of ${keys.path.join('.')}`;
  if (isEveryField(keys)) return 'fields';
  const ranges = keys.ranges.map((choice) => {
    if (!isRange(choice)) return choice.column;
    const { from, to } = choice;
    return from === to ? `${from}` : `${from}-${to === -1 ? '' : to}`;
  });
  return `${mayBeSeveral({ ...keys, areOne: false }) ? 'fields' : 'field'} ${ranges.join(',')}`;
}
