import type { Input } from '../engine/input/input.ts';
import { type KeySelection, WHOLE_LINES } from '../engine/input/key-selection.ts';
import { randomDigests } from '../engine/input/random-digests.ts';
import { RANDOM_KEY_BYTES } from '../engine/input/random-keys.ts';
import { DIGEST_BYTES } from '../engine/input/record-ends.ts';
import { boundsOfParts } from '../engine/make-digests.ts';
import { queryWithin } from '../engine/query.ts';
import { type Loading, loadEach } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { contentInFile } from '../engine/survey.ts';
import { NOTHING, plus, recordsWithout, type Tally } from '../engine/tasks/tally.ts';
import { oneFilter, type TestSpec } from '../engine/tasks/task.ts';
import type { ThreadContext } from '../engine/tasks/thread-context.ts';
import type { WorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import { rangesOfRandomKeys } from '../filters/key-ranges.ts';
import type { Description, KeyRules } from '../formats/description.ts';
import { expectedOf } from '../formats/description.ts';
import type { Opening } from '../formats/opening.ts';
import { modifiedAt } from '../io/positioned.ts';
import type { ServerFile } from '../io/remote/open-remote.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { shortCount, speed, withNoun } from '../quantities.ts';
import { measurement } from '../sizing/interval.ts';
import type { Unit } from '../terminal/progress.ts';
import type { Facts, Skipped } from './report/content.ts';
import { judge } from './report/health.ts';
import { partsOf } from './report/parts.ts';
import type { Report } from './report/report.ts';
import type { Watch } from './watch.ts';

/** The options of an inspection. */
export interface Inspection {
  readonly opening: Opening;
  /** The number of random keys to look up. Undefined means a million, or none if the filter is verified. */
  readonly probes: number | undefined;
  /** Whether every segment is compared with its checksum. */
  readonly verify: boolean;
  /** A file of records that should be absent. */
  readonly absent: string | undefined;
  /** A file of records that should be present. */
  readonly present: string | undefined;
  /** The highest rate of a healthy filter. Undefined means twice its target. */
  readonly maxRate: number | undefined;
  /** The keys of those records. */
  readonly selection: KeySelection;
  /** Memory for the filter in bytes. Undefined: all free memory. */
  readonly memory: number | undefined;
}

const DEFAULT_PROBES = 1e6;

/** The unit of a progress that counts keys of this many bytes. */
function keysOf(keyBytes: number): Unit {
  return {
    amount: (bytes) => withNoun(shortCount(bytes / keyBytes), 'key'),
    speed: (bytesPerSecond) => speed(bytesPerSecond / keyBytes, 'key'),
  };
}

/** Inspects each filter of a file, which is opened already if it is on a server. Throws the errors of the filter and of the records. */
export async function* inspect(
  file: string,
  wanted: Inspection,
  pool: WorkerPool,
  watch: Watch,
  opened: ServerFile | undefined,
): AsyncGenerator<Report> {
  const kernel = loadKernel();
  const { threadCount } = pool;
  const loading: Loading = {
    ...{ threadCount, use: 'report', opening: wanted.opening, observer: watch },
    ...(opened && { open: () => opened }),
  };
  watch.begin('loading');
  try {
    for await (const loaded of loadEach(kernel, file, loading)) {
      const report = await inspectLoaded({ kernel, threadIndex: 0 }, pool, file, loaded, wanted, watch);
      // The consumer prints the facts next.
      watch.finish();
      yield report;
    }
  } finally {
    watch.finish();
  }
}

async function inspectLoaded(
  context: ThreadContext,
  pool: WorkerPool,
  file: string,
  loaded: LoadedFilter,
  { probes: wanted, verify, absent: absentFile, present: presentFile, selection, maxRate, memory }: Inspection,
  watch: Watch,
): Promise<Report> {
  const { name, description, file: stored, unfiltered } = loaded;
  if (verify && loaded.verify === undefined) throw unverifiable(name, description);
  const fills = loaded.fills();
  const content = contentInFile(description, fills, name);

  const lookUp = lookingUp(context, pool, loaded, memory, watch);
  const lookUpFile = async (records: string | undefined, label: string) => {
    if (records === undefined) return undefined;
    watch.begin(label);
    return lookUp(records, selection);
  };
  if (verify) {
    watch.begin('verifying');
    await loaded.verify?.(watch);
  }
  const probes = wanted ?? (verify ? 0 : probesOf(description));
  const { input, selection: selectionOfRandom, keyBytes } = randomInput(description, probes);
  watch.begin('measuring', keysOf(keyBytes));
  const random = probes === 0 ? undefined : await lookUp(input, selectionOfRandom);
  const absent = await lookUpFile(absentFile, 'looking up absent keys');
  const present = await lookUpFile(presentFile, 'looking up present keys');

  const facts: Facts = {
    file,
    modified: stored && modifiedAt(stored),
    description,
    content,
    fills,
    parts: partsOf(loaded, fills),
    unfiltered,
    verified: verify,
    hasChecksum: loaded.verify !== undefined,
    measured: random && measurement(random.positives, random.keys - random.elsewhere),
    absent: absent && {
      ...measurement(absent.positives, absent.keys - absent.elsewhere),
      ...skippedBy(absent, selection, description),
    },
    present: present && {
      records: present.keys - present.elsewhere,
      missing: present.keys - present.elsewhere - present.positives,
      ...skippedBy(present, selection, description),
    },
  };
  return { ...facts, health: judge(facts, maxRate) };
}

/** The largest number of rows that the random keys test together, for filters of rows. */
const ROWS_LIMIT = 2e8;

function probesOf({ kind, shape }: Description): number {
  return kind.findsRows
    ? Math.min(DEFAULT_PROBES, Math.ceil(ROWS_LIMIT / Math.max(1, shape.segments)))
    : DEFAULT_PROBES;
}

/** Random keys and how they are read. A part of a filter gets digests of its own segments: few keys would have one. */
function randomInput({ shape: { share } }: Description, probes: number) {
  if (share === undefined) return { input: { randomKeys: probes }, selection: WHOLE_LINES, keyBytes: RANDOM_KEY_BYTES };
  const bounds = boundsOfParts(share.segments, share.parts);
  const [from = 0n, to = 0n] = bounds.subarray(share.part - 1);
  const given = randomDigests(probes, { from: Number(from), to: Number(to) });
  return { input: { given }, selection: { ...WHOLE_LINES, areDigests: true }, keyBytes: DIGEST_BYTES };
}

/** The error for a filter without checksums. */
function unverifiable(name: string, { format }: Description): BloomError {
  return new BloomError(
    'format',
    `${name} is a filter of ${format.system}, which has no checksum`,
    'leave out --verify, and compare the file with a copy',
  );
}

/** Looks up the records of an input in a filter. Throws the error of an unreadable input. */
function lookingUp(
  context: ThreadContext,
  pool: WorkerPool,
  loaded: LoadedFilter,
  memory: number | undefined,
  watch: Watch,
) {
  const onUnreadable = (error: BloomError) => {
    throw error;
  };
  const rules = { ...loaded.description.rules, lookup: undefined };
  return async (input: Input, selection: KeySelection): Promise<Tally> => {
    const isRandom = typeof input === 'object' && 'randomKeys' in input;
    const spec: TestSpec = {
      type: 'test',
      selection,
      ...oneFilter(loaded.store, isRandom ? rulesOfRandomKeys(rules) : rules),
      print: undefined,
      lineBuffered: false,
      bySource: false,
      stopAt: undefined,
      countsKeys: true,
    };
    const results = await queryWithin({
      ...{ context, pool, spec, inputs: [input], observer: { ...watch, onUnreadable } },
      ...{ shapes: [loaded.description.shape], memory },
    });
    return results.reduce<Tally>(plus, NOTHING);
  };
}

/**
 * Random bytes are hashed without an encoding, because the hash cannot tell them from encoded keys. Parts with key
 * ranges are used in turn.
 */
function rulesOfRandomKeys({ ranges, ...rules }: KeyRules): KeyRules {
  return {
    ...rules,
    encoding: undefined,
    keyHash: undefined,
    prefix: undefined,
    ranges: ranges && rangesOfRandomKeys(ranges),
  };
}

function skippedBy(tally: Tally, { keys }: KeySelection, description: Description): Skipped {
  return { skipped: recordsWithout(tally), keys, expected: expectedOf(description) };
}
