import { createKeyDigests, type Key } from '../engine/input/given-keys.ts';
import { createKeyFeed, type DigestSink } from '../engine/input/key-feed.ts';
import { createKeyAnswers } from '../engine/key-answers.ts';
import { createKeyChanges, type KeyChanges } from '../engine/key-changes.ts';
import { createLaterAnswers } from '../engine/later-answers.ts';
import { openSegmentStore } from '../engine/store/segment-store.ts';
import { openSegments, type SharedSegments } from '../engine/store/shared-segments.ts';
import { createSnapshots, type Snapshot, type Snapshots } from '../engine/store/snapshots.ts';
import { openStore, recycleStore, type SharedStore } from '../engine/store/store.ts';
import type { OpenStore } from '../engine/store/store-access.ts';
import { type Content, contentInFile, surveyContent } from '../engine/survey.ts';
import { BloomError } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import { kindWithId, requireUse, type Use } from '../filters/registry.ts';
import { type Description, type OwnDescription, withMoreKeys } from '../formats/description.ts';
import type { PositionedFile } from '../io/positioned.ts';
import { giveBack, type Kernel } from '../kernel/kernel.ts';
import { lookedUpKeys, rulesOfLookedUp } from './looked-up.ts';

/** A filter at the time of the snapshot. Later changes have no effect on it. */
export interface FilterSnapshot extends Snapshot {
  readonly description: OwnDescription;
  readonly fills: readonly Fill[];
}

/** The parts of a filter when the library opens or builds it. */
export interface Held {
  /** For messages. */
  readonly name: string;
  readonly description: Description;
  readonly filter: SharedStore;
  /** The same filter if it has segments. */
  readonly segments: SharedSegments | undefined;
  /** Keys can be added or removed, if the kind supports this. */
  readonly writable: boolean;
  /** The fill of each segment, valid until the first change. */
  fills(): readonly Fill[];
  /** The number of distinct keys if they were counted, valid until the first change. */
  readonly distinct?: number | undefined;
  /** The file that the filter was opened from, and its state (see `stateOf`). */
  readonly file?: { readonly name: string; readonly state: string | undefined };
  /** The file on a server from which parts are read. */
  readonly remote?: PositionedFile | undefined;
  close(): void;
}

/**
 * A filter as it is now. All methods throw a `BloomError` once the filter is closed, or unusable because it was full. Iterables of keys may
 * call any method while they give keys. Each call then sees the filter with all keys that were given before.
 */
export interface Current {
  has(key: Key): boolean;
  hasMany(keys: Iterable<Key>): boolean[];
  /** The same while this thread does other work, if the filter is on a server. */
  hasAsync(key: Key): Promise<boolean>;
  hasManyAsync(keys: Iterable<Key>): Promise<boolean[]>;
  /** Adds keys to the filter, which may grow. */
  add(keys: Iterable<Key>): void;
  /** Removes a key. Returns whether the key may have been present. */
  remove(key: Key): boolean;
  description(): Description;
  /** The fill of each segment. */
  fills(): readonly Fill[];
  content(): Content;
  /** The filter as it is now. Throws a `usage` error for a filter of another system, which has no segments. */
  snapshot(): FilterSnapshot;
  /** Ends all use of the filter. Earlier snapshots can still be read. */
  close(): void;
}

/** Keys that are answered together while other work can go on between them. */
const KEYS_TOGETHER = 2048;

export async function createCurrent(kernel: Kernel, held: Held): Promise<Current> {
  const { rules } = held.description;
  const lookedUp = rulesOfLookedUp(rules);
  const keys = createKeyDigests(kernel, lookedUp);
  const keysOf = lookedUpKeys(kernel, rules);
  const { feed, flush, flushChanges } = createKeyFeed(keys);
  const snapshots = createSnapshots(kernel);
  let { filter, segments } = held;
  const answersOf = (store: OpenStore) => createKeyAnswers(kernel, filter, store, keys, lookedUp);
  let answers = answersOf(await openStore(filter, kernel, 0));
  let changes: KeyChanges | undefined;
  /** Why the filter cannot be used any more. */
  let refusal: BloomError | undefined;
  const requireUsable = () => {
    if (refusal !== undefined) throw refusal;
  };
  /** Every call that reads the filter begins with this. */
  const beginReading = () => {
    flushChanges();
    requireUsable();
  };
  /** Accepts the filter after a change, even if the change failed. */
  const takeOver = (changed: SharedSegments) => {
    if (changed === filter) return;
    filter = changed;
    segments = changed;
    answers = answersOf(openSegmentStore(changed, kernel, 0));
  };
  /** A sink that changes the filter while the filter is usable. */
  const changing = (sink: DigestSink, changed: () => SharedSegments): DigestSink => {
    const change = (work: () => void) => {
      requireUsable();
      try {
        work();
      } catch (error) {
        if (error instanceof BloomError && error.code === 'capacity') refusal = error;
        throw error;
      } finally {
        takeOver(changed());
      }
    };
    return {
      isChange: true,
      take: (digests) => change(() => sink.take(digests)),
      conclude: () => change(sink.conclude),
    };
  };
  const createChanges = (): KeyChanges => {
    const created = createKeyChanges(kernel, segmentsOf(held, segments), snapshots.preserve);
    const guarded = (sink: DigestSink) => changing(sink, created.filter);
    return { ...created, adding: guarded(created.adding), removing: guarded(created.removing) };
  };
  /** Every change begins with this. */
  const beginChange = (use: Use): KeyChanges => {
    flush();
    requireUsable();
    requireWritable(held, use);
    changes ??= createChanges();
    return changes;
  };
  const has = (key: Key): boolean => {
    beginReading();
    return keysOf === undefined ? answers.has(key) : keysOf(key).some(answers.has);
  };
  const later = held.remote && createLaterAnswers(held.remote).later;
  const hasLater = async (key: Key): Promise<boolean> => {
    try {
      return later === undefined ? has(key) : await later(() => has(key));
    } catch (error) {
      // A filter that was closed meanwhile fails for this reason alone.
      requireUsable();
      throw error;
    }
  };
  const current: Current = {
    has,
    hasAsync: hasLater,
    async hasManyAsync(given) {
      if (later === undefined) return current.hasMany(given);
      const found: boolean[] = [];
      const keys = [...given];
      for (let first = 0; first < keys.length; first += KEYS_TOGETHER)
        found.push(...(await Promise.all(keys.slice(first, first + KEYS_TOGETHER).map(hasLater))));
      return found;
    },
    hasMany(given) {
      if (keysOf !== undefined) return Array.from(given, has);
      beginReading();
      // An array of known length is allocated at once, so that it is not copied while it grows.
      const found = { answers: Array.isArray(given) ? new Array<boolean>(given.length) : [], count: 0 };
      const guarded = (work: () => void) => {
        requireUsable();
        work();
      };
      feed(given, {
        isChange: false,
        take: (digests) => guarded(() => answers.take(digests, found)),
        conclude: () => guarded(() => answers.conclude(found)),
      });
      found.answers.length = found.count;
      return found.answers;
    },
    add(given) {
      feed(given, beginChange('add').adding);
    },
    remove(key) {
      const { removing, removed } = beginChange('remove');
      const before = removed();
      feed([key], removing);
      return removed() > before;
    },
    ...createReport(kernel, held, snapshots, () => {
      beginReading();
      return { segments, changes };
    }),
    close() {
      try {
        flush();
      } finally {
        if (refusal?.code !== 'usage') snapshots.whenReleased(() => end(held, filter, kernel));
        refusal = new BloomError('usage', `${held.name} was closed`, 'open it again');
      }
    },
  };
  return current;
}

/** Closes the file of a filter that nothing uses any more, and gives its memory to the next filter. */
function end({ close }: Held, filter: SharedStore, kernel: Kernel): void {
  close();
  // An iterable may close the filter while its keys are read, and these are written to the memory until then.
  queueMicrotask(() => {
    recycleStore(filter);
    giveBack(kernel);
  });
}

/** Reports and snapshots of a filter. */
function createReport(
  kernel: Kernel,
  held: Held,
  { take }: Snapshots,
  now: () => { readonly segments: SharedSegments | undefined; readonly changes: KeyChanges | undefined },
): Pick<Current, 'description' | 'fills' | 'content' | 'snapshot'> {
  const segmented = () => segmentsOf(held, now().segments);
  const description = (): Description => {
    const { segments, changes } = now();
    if (changes === undefined || segments === undefined) return held.description;
    return withMoreKeys(held.description, segments.payload.shape, changes.added());
  };
  const fills = () => (now().changes === undefined ? held.fills() : openSegments(segmented(), kernel, 0).fills());
  return {
    description,
    fills,
    content() {
      const exact = now().changes === undefined ? held.distinct : undefined;
      const isOfFile = now().changes === undefined && exact === undefined;
      if (isOfFile) return contentInFile(held.description, fills(), held.name);
      return surveyContent(description(), fills(), exact);
    },
    snapshot() {
      const filter = segmented();
      const kind = kindWithId(filter.kind, held.name);
      return { ...take(filter), description: { ...description(), kind }, fills: fills() };
    },
  };
}

function segmentsOf({ description, name }: Held, segments: SharedSegments | undefined): SharedSegments {
  if (segments !== undefined) return segments;
  throw new BloomError(
    'usage',
    `${name} is a filter of ${description.format.system}, which this library can only query`,
    'use the command bloom',
  );
}

/**
 * Throws a `usage` error for a filter that was not opened `writable`, and a `mismatch` error for a kind that does not support the change.
 */
function requireWritable({ writable, description, name }: Held, use: Use): void {
  if (!writable)
    throw new BloomError('usage', `${name} was not opened to be changed`, 'open it with { writable: true }');
  requireUse(description.kind, use, name);
  if (description.rules.lookup === 'blocks')
    throw new BloomError(
      'usage',
      `the keys of ${name} are networks, which this library does not change`,
      `use bloom ${use}`,
    );
}
