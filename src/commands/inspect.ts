import type { Input } from '../engine/input/input.ts';
import { type KeySelection, WHOLE_LINES } from '../engine/input/key-selection.ts';
import { RANDOM_KEY_BYTES } from '../engine/input/random-keys.ts';
import { type Loading, loadEach } from '../engine/store/load.ts';
import type { LoadedFilter } from '../engine/store/loaded.ts';
import { requireMemory } from '../engine/store/payload.ts';
import { contentInFile } from '../engine/survey.ts';
import { NOTHING, plus, recordsWithout, type Tally } from '../engine/tasks/tally.ts';
import { oneFilter, type TestSpec } from '../engine/tasks/task.ts';
import type { ThreadContext } from '../engine/tasks/thread-context.ts';
import { runPass } from '../engine/threads/pass.ts';
import type { WorkerPool } from '../engine/threads/worker-pool.ts';
import { BloomError } from '../errors.ts';
import { rangesOfRandomKeys } from '../filters/key-ranges.ts';
import type { Description, KeyRules } from '../formats/description.ts';
import type { Opening } from '../formats/opening.ts';
import { modifiedAt } from '../io/positioned.ts';
import { loadKernel } from '../kernel/kernel.ts';
import { shortCount, speed, withNoun } from '../quantities.ts';
import { measurement } from '../sizing/interval.ts';
import type { Unit } from '../terminal/progress.ts';
import type { Facts, Skipped } from './report/content.ts';
import { judge } from './report/health.ts';
import { partsOf } from './report/parts.ts';
import type { Report } from './report/report.ts';
import type { Watch } from './watch.ts';

/** What is to be found out about a filter. */
export interface Inspection {
  readonly opening: Opening;
  /** Random keys to ask it about; a million if undefined, but none where it is verified. */
  readonly probes: number | undefined;
  /** Every segment is compared with its checksum. */
  readonly verify: boolean;
  /** A file of records that should be absent. */
  readonly absent: string | undefined;
  /** A file of records that should be found. */
  readonly present: string | undefined;
  /** The highest rate of a healthy filter; twice its target if undefined. */
  readonly maxRate: number | undefined;
  /** The keys of those records. */
  readonly selection: KeySelection;
}

const DEFAULT_PROBES = 1e6;

const KEYS: Unit = {
  amount: (bytes) => withNoun(shortCount(bytes / RANDOM_KEY_BYTES), 'key'),
  speed: (bytesPerSecond) => speed(bytesPerSecond / RANDOM_KEY_BYTES, 'key'),
};

/** Finds out everything about each filter of a file. Throws what is wrong with one, or with the records. */
export async function* inspect(
  file: string,
  wanted: Inspection,
  pool: WorkerPool,
  watch: Watch,
): AsyncGenerator<Report> {
  const kernel = loadKernel();
  const { threadCount } = pool;
  const loading: Loading = { threadCount, use: 'report', opening: wanted.opening, observer: watch };
  watch.begin('loading');
  try {
    for await (const loaded of loadEach(kernel, file, loading)) {
      const report = await inspectLoaded({ kernel, threadIndex: 0 }, pool, file, loaded, wanted, watch);
      // Whoever takes it prints it.
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
  { probes: wanted, verify, absent: absentFile, present: presentFile, selection, maxRate }: Inspection,
  watch: Watch,
): Promise<Report> {
  const { name, description, file: stored, unfiltered } = loaded;
  if (verify && loaded.verify === undefined) throw unverifiable(name, description);
  const fills = loaded.fills();
  const content = contentInFile(description, fills, name);

  const ask = asking(context, pool, loaded, watch);
  const askFile = async (records: string | undefined, label: string) => {
    if (records === undefined) return undefined;
    watch.begin(label);
    return ask(records, selection);
  };
  if (verify) {
    watch.begin('verifying');
    await loaded.verify?.(watch);
  }
  const probes = wanted ?? (verify ? 0 : probesOf(description));
  if (probes > 0 || absentFile !== undefined || presentFile !== undefined) requireMemory(description.shape);
  watch.begin('measuring', KEYS);
  const random = probes === 0 ? undefined : await ask({ randomKeys: probes }, WHOLE_LINES);
  const absent = await askFile(absentFile, 'asking about absent keys');
  const present = await askFile(presentFile, 'asking about present keys');

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
    measured: random && measurement(random.positives, random.records - random.elsewhere),
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

/** Rows that are looked at, of all random keys together, where a filter has some. */
const ROWS_LIMIT = 2e8;

function probesOf({ kind, shape }: Description): number {
  return kind.findsRows
    ? Math.min(DEFAULT_PROBES, Math.ceil(ROWS_LIMIT / Math.max(1, shape.segments)))
    : DEFAULT_PROBES;
}

/** The error for a filter that has nothing to be compared with. */
function unverifiable(name: string, { format }: Description): BloomError {
  return new BloomError(
    'format',
    `${name} is a filter of ${format.system}, which has no checksum`,
    'leave out --verify, and compare the file with a copy',
  );
}

/** Asks a filter about the records of an input; throws the error of one that cannot be read. */
function asking(context: ThreadContext, pool: WorkerPool, loaded: LoadedFilter, watch: Watch) {
  const onUnreadable = (error: BloomError) => {
    throw error;
  };
  const { rules } = loaded.description;
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
    const results = await runPass({ context, pool, spec, inputs: [input], observer: { ...watch, onUnreadable } });
    return results.reduce<Tally>(plus, NOTHING);
  };
}

/**
 * Random bytes are hashed as they are: whatever a key is written as, its bytes look like them to the hash. Where parts have
 * ranges of keys, they take part in turn.
 */
function rulesOfRandomKeys({ ranges, ...rules }: KeyRules): KeyRules {
  return { ...rules, encoding: undefined, prefix: undefined, ranges: ranges && rangesOfRandomKeys(ranges) };
}

function skippedBy(tally: Tally, { keys }: KeySelection, { keyType }: Description): Skipped {
  return { skipped: recordsWithout(tally), keys, keyType };
}
