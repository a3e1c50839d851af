import { type Asked, type AskedFilter, openAsked } from '../engine/filter/asked-filter.ts';
import { segmentContents } from '../engine/filter/contents.ts';
import { openSegments, type SharedFilter } from '../engine/filter/loaded-filter.ts';
import { createKeyDigests } from '../engine/input/given-keys.ts';
import { createKeyAnswers, type KeyAnswers } from '../engine/key-answers.ts';
import { createKeyChanges, type KeyChanges } from '../engine/key-changes.ts';
import { type Content, contentInFile, surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Ability, Fill } from '../filters/kind.ts';
import { requireAbility } from '../filters/registry.ts';
import { type Description, withMoreKeys } from '../formats/description.ts';
import type { Output } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';

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

/** A filter as it is by now. All throw a `BloomError` once it is closed, or was given up as it is full. */
export interface Current {
  answers(): KeyAnswers;
  /** Changes the filter, which may grow. */
  change<T>(ability: Ability, work: (changes: KeyChanges) => T): T;
  description(): Description;
  content(): Content;
  /** Its segments. Throws a `usage` error for a filter of another system, which has none. */
  segmented(): SharedFilter;
  write(output: Output): Promise<unknown>;
  close(): void;
}

export async function createCurrent(kernel: Kernel, held: Held): Promise<Current> {
  const { rules } = held.description;
  const keys = createKeyDigests(kernel, rules);
  let filter = held.filter;
  const answersOf = (asked: Asked) => createKeyAnswers(kernel, filter, asked, keys, rules);
  let answers = answersOf(await openAsked(filter, kernel, 0));
  let changes: KeyChanges | undefined;
  /** Why nothing can be done any more. */
  let refusal: BloomError | undefined;
  const requireUsable = () => {
    if (refusal !== undefined) throw refusal;
  };
  /** After a change, whatever became of it. */
  const takeOver = (changed: SharedFilter) => {
    if (changed === filter) return;
    filter = changed;
    answers = answersOf(openSegments(changed, kernel, 0));
  };
  return {
    answers() {
      requireUsable();
      return answers;
    },
    change(ability, work) {
      requireUsable();
      requireWritable(held, ability);
      changes ??= createKeyChanges(kernel, segmentsOf(held, filter), keys);
      try {
        return work(changes);
      } catch (error) {
        if (error instanceof BloomError && error.code === 'capacity') refusal = error;
        throw error;
      } finally {
        takeOver(changes.filter());
      }
    },
    ...createReport(kernel, held, () => {
      requireUsable();
      return { filter, changes };
    }),
    close() {
      if (refusal?.code !== 'usage') held.close();
      refusal = new BloomError('usage', `${held.name} was closed`, 'open it again');
    },
  };
}

/** What there is to say of a filter, and to write. */
function createReport(
  kernel: Kernel,
  held: Held,
  now: () => { readonly filter: AskedFilter; readonly changes: KeyChanges | undefined },
): Pick<Current, 'description' | 'content' | 'segmented' | 'write'> {
  const segmented = () => segmentsOf(held, now().filter);
  const description = (): Description => {
    const { filter, changes } = now();
    if (changes === undefined || !('payload' in filter)) return held.description;
    return withMoreKeys(held.description, filter.payload.shape, changes.added());
  };
  const fills = () => (now().changes === undefined ? held.fills() : openSegments(segmented(), kernel, 0).fills());
  return {
    description,
    segmented,
    content() {
      const exact = now().changes === undefined ? held.distinct : undefined;
      const isOfFile = now().changes === undefined && exact === undefined;
      if (isOfFile) return contentInFile(held.description, fills(), held.name);
      return surveyContent(description(), fills(), exact);
    },
    write(output) {
      const shared = segmented();
      const contents = segmentContents(shared, openSegments(shared, kernel, 0));
      return contents.write(output, kernel, description(), fills(), () => {});
    },
  };
}

function segmentsOf({ description, name }: Held, filter: AskedFilter): SharedFilter {
  if ('payload' in filter) return filter;
  throw new BloomError(
    'usage',
    `${name} is a filter of ${description.format.system}, which is only asked here`,
    'use bloom',
  );
}

/** Throws a `usage` error for a filter that is only asked, and a `mismatch` error for a kind that cannot be changed so. */
function requireWritable({ writable, description, name }: Held, ability: Ability): void {
  if (!writable)
    throw new BloomError('usage', `${name} was not opened to be changed`, 'open it with { writable: true }');
  requireAbility(description.kind, ability, name);
}
