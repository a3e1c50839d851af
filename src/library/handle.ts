import { type Asked, type AskedFilter, openAsked } from '../engine/filter/asked-filter.ts';
import { segmentContents } from '../engine/filter/contents.ts';
import { openSegments, type SharedFilter } from '../engine/filter/loaded-filter.ts';
import { createKeyDigests } from '../engine/input/given-keys.ts';
import { createKeyAnswers } from '../engine/key-answers.ts';
import { createKeyChanges, type KeyChanges } from '../engine/key-changes.ts';
import { type Content, contentInFile, summaryOf, surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Ability, Fill } from '../filters/kind.ts';
import { requireAbility } from '../filters/registry.ts';
import { type Description, withMoreKeys } from '../formats/description.ts';
import { checkOutput, type Output } from '../io/atomic-file.ts';
import { stateOf } from '../io/look.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { nameOfFile } from './file-name.ts';
import type { Filter, FilterStats } from './filter.ts';

/** What a filter is made of when it becomes one of the library. */
export interface Held {
  /** For messages. */
  readonly name: string;
  readonly description: Description;
  readonly filter: AskedFilter;
  /** Keys can be added or removed, if its kind can do that. */
  readonly writable: boolean;
  /** How full its segments are, as long as nothing was changed. */
  fills(): readonly Fill[];
  /** Its distinct keys, where they were counted, as long as nothing was changed. */
  readonly distinct?: number | undefined;
  /** The file that it was opened from, and the state of that, after `stateOf`. */
  readonly file?: { readonly name: string; readonly state: string | undefined };
  close(): void;
}

/** What is behind a filter of the library. */
export interface Internals {
  readonly kernel: Kernel;
  readonly name: string;
  description(): Description;
  /** Its segments. Throws a `usage` error for a filter of another system, which has none. */
  segmented(): SharedFilter;
}

const internals = new WeakMap<Filter, () => Internals>();

/** What is behind a filter. Throws a `usage` error for what is none, or was closed. */
export function internalsOf(filter: Filter): Internals {
  const known = internals.get(filter);
  if (known === undefined) throw new BloomError('usage', 'what is merged are filters that were opened or built here');
  return known();
}

/** A filter of the library. */
export async function createHandle(kernel: Kernel, held: Held): Promise<Filter> {
  const keys = createKeyDigests(kernel, held.description.rules);
  let filter = held.filter;
  let file = held.file;
  const answersOf = (asked: Asked) => createKeyAnswers(kernel, filter, asked, keys, held.description.rules);
  let answers = answersOf(await openAsked(filter, kernel, 0));
  let changes: KeyChanges | undefined;
  /** Why nothing can be done any more. */
  let refusal: BloomError | undefined;
  const requireUsable = () => {
    if (refusal !== undefined) throw refusal;
  };

  const segmented = (): SharedFilter => {
    if ('payload' in filter) return filter;
    const { system } = held.description.format;
    throw new BloomError('usage', `${held.name} is a filter of ${system}, which is only asked here`, 'use bloom');
  };
  const description = (): Description => {
    if (changes === undefined || !('payload' in filter)) return held.description;
    return withMoreKeys(held.description, filter.payload.shape, changes.added());
  };
  const fills = () => (changes === undefined ? held.fills() : openSegments(segmented(), kernel, 0).fills());
  const content = (): Content => {
    const isOfFile = changes === undefined && held.distinct === undefined;
    if (isOfFile) return contentInFile(held.description, fills(), held.name);
    return surveyContent(description(), fills(), changes === undefined ? held.distinct : undefined);
  };
  /** Changes the filter, which may grow. */
  const change = <T>(ability: Ability, work: (changes: KeyChanges) => T): T => {
    requireUsable();
    requireWritable(held, ability);
    changes ??= createKeyChanges(kernel, segmented(), keys);
    try {
      return work(changes);
    } catch (error) {
      if (error instanceof BloomError && error.code === 'capacity') refusal = error;
      throw error;
    } finally {
      const now = changes.filter();
      if (now !== filter) {
        filter = now;
        answers = answersOf(openSegments(now, kernel, 0));
      }
    }
  };
  const write = (output: Output) => {
    const shared = segmented();
    const contents = segmentContents(shared, openSegments(shared, kernel, 0));
    return contents.write(output, kernel, description(), fills(), () => {});
  };
  const handle: Filter = {
    has(key) {
      requireUsable();
      return answers.has(key);
    },
    hasMany(many) {
      requireUsable();
      return answers.hasMany(many);
    },
    add: (key) => change('add', ({ add }) => add([key])),
    addMany: (many) => change('add', ({ add }) => add(many)),
    remove: (key) => change('remove', ({ remove }) => remove([key]) > 0),
    stats() {
      requireUsable();
      return summaryOf(description(), content()) as unknown as FilterStats;
    },
    async save(to, { replace = true } = {}) {
      requireUsable();
      const name = nameOfFile(to);
      const isItsOwn = name === file?.name;
      const output: Output = { name, replace, ...(isItsOwn && { unchangedSince: file?.state }) };
      await checkOutput(output, []);
      await write(output);
      if (isItsOwn) file = { name, state: stateOf(name) };
    },
    async toBytes() {
      requireUsable();
      const pieces: Uint8Array[] = [];
      const append = async (bytes: Uint8Array) => void pieces.push(bytes.slice());
      await write({ name: held.name, replace: true, append });
      return Buffer.concat(pieces);
    },
    close() {
      if (refusal?.code !== 'usage') held.close();
      refusal = new BloomError('usage', `${held.name} was closed`, 'open it again');
    },
  };
  internals.set(handle, () => {
    requireUsable();
    return { kernel, name: held.name, description, segmented };
  });
  return handle;
}

/** Throws a `usage` error for a filter that is only asked, and a `mismatch` error for a kind that cannot be changed so. */
function requireWritable({ writable, description, name }: Held, ability: Ability): void {
  if (!writable)
    throw new BloomError('usage', `${name} was not opened to be changed`, 'open it with { writable: true }');
  requireAbility(description.kind, ability, name);
}
