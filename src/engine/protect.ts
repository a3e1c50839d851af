// Protected keys: keys that a filter that is being built must never select. Their inputs are read twice: once to count
// them, and once to find those that the screens of the filter accept. Only these are kept.

import { BloomError, type UnreadableInput } from '../errors.ts';
import type { KeyRules } from '../formats/description.ts';
import { displayName } from '../io/look.ts';
import type { Sink } from '../io/sink.ts';
import { agreeing, plural } from '../quantities.ts';
import { fileOf, type Input, openInput } from './input/input.ts';
import { keptInputs } from './input/kept-inputs.ts';
import { identitiesOf, unchanged } from './read-again.ts';
import {
  COUNTING,
  countsOf,
  type KindOfKeys,
  keyCount,
  type ProtectedInputs,
  type Reading,
  type Threads,
} from './reading.ts';
import { openSegments, type SharedSegments } from './store/shared-segments.ts';
import { WANTED } from './tasks/line-style.ts';
import { oneFilter } from './tasks/task.ts';
import { openTest } from './tasks/test-keys.ts';
import { runPass } from './threads/pass.ts';

/** Counts the protected keys. Throws an `input` error if one of the inputs cannot be read to its end, or none has a key. */
export async function countProtected(
  reading: Reading,
  { ignoreCase, trim, keyHash, encoding, lookup }: KeyRules,
  drops: ProtectedInputs['drops'],
  threads: Threads,
): Promise<ProtectedInputs> {
  const { selection } = reading;
  const { observer, requireAll } = strict(reading);
  const identities = identitiesOf(reading.inputs);
  const { inputs, close } = await keptInputs(reading.inputs, selection, observer);
  try {
    const spec = {
      type: 'countProtected',
      selection,
      rules: { ...COUNTING, ignoreCase, trim, keyHash, encoding, lookup },
    } as const;
    const { keys, distinct } = keyCount(threads.context, await runPass({ ...threads, spec, inputs, observer }));
    requireAll();
    if (keys === 0)
      throw new BloomError(
        'input',
        `nothing was written: ${reading.inputs.map(nameOf).join(' and ')} ${agreeing(reading.inputs.length, 'has')} no keys to protect`,
        'check the files of --never, or leave it out',
      );
    return { inputs, identities, drops, keys: Math.round(distinct.count), close };
  } catch (error) {
    close();
    throw error;
  }
}

function nameOf(input: Input): string {
  return displayName(fileOf(input) ?? '-');
}

/** An observer that notes unreadable inputs: a filter that lacks protected keys must not be written. */
function strict({ observer }: Reading) {
  const errors: UnreadableInput[] = [];
  return {
    observer: { ...observer, onUnreadable: (error: UnreadableInput) => void errors.push(error) },
    requireAll() {
      const [first] = errors;
      if (first !== undefined) throw new BloomError('input', `nothing was written: ${first.message}`, first.hint);
    },
  };
}

/**
 * Makes the screens of a filter that has all its members, and gives it the protected keys. Returns the number of members that are
 * protected. Throws an `input` error for such members if `drops` is undefined.
 */
export async function protect(
  { rules }: Pick<KindOfKeys, 'rules'>,
  filter: SharedSegments,
  { inputs, identities, drops }: ProtectedInputs,
  reading: Reading,
  threads: Threads,
): Promise<number> {
  const { context } = threads;
  const { selection, observer } = reading;
  const spec = { selection, rules, filter };
  await runPass({ ...threads, spec: { type: 'screen', ...spec }, inputs: [], observer });
  const { observer: noting, requireAll } = strict(reading);
  const again = unchanged({ ...reading, inputs }, identities);
  const results = await runPass({
    ...threads,
    spec: { type: 'protect', ...spec },
    inputs,
    observer: { ...again.observer, onUnreadable: noting.onUnreadable },
  });
  requireAll();
  if (countsOf(results).positives > 0) throw tooManyScreened();
  const segments = openSegments(filter, context.kernel, context.threadIndex);
  let clashes = 0;
  for (let segment = 0; segment < filter.payload.shape.segments; segment++)
    clashes += segments.clashes(segment, drops ?? 'none');
  if (clashes > 0 && drops === undefined) throw await refusal(clashes, spec, inputs, threads);
  return clashes;
}

/** The error for more protected keys than the drafts can hold. By chance alone, too few of them pass the screens for that. */
function tooManyScreened(): BloomError {
  return new BloomError(
    'input',
    'nothing was written: too many keys of --never look like keys of the input; many of them are probably in both',
    'remove them from one of the two, or build with a larger -n',
  );
}

/** Protected members that an error names. */
const NAMED_KEYS = 3;

/** The error for members that are protected. It names the first of them. */
async function refusal(
  clashes: number,
  {
    filter,
    selection,
    rules,
  }: Pick<Reading, 'selection'> & { readonly rules: KeyRules; readonly filter: SharedSegments },
  inputs: readonly Input[],
  { context }: Threads,
): Promise<BloomError> {
  const printed: Buffer[] = [];
  const sink: Sink = { write: (bytes) => void printed.push(Buffer.from(bytes)) };
  const style = { wanted: WANTED.present, tag: false, named: false, numbered: false, json: false } as const;
  const stopAt = { selected: WANTED.present, records: NAMED_KEYS, ofEach: false } as const;
  const looks = { ...oneFilter(filter, rules), lineBuffered: false, bySource: false, stopAt };
  const task = await openTest(context, { type: 'test', selection, ...looks, print: style }, sink);
  for (const input of inputs) {
    const source = await openInput(input, selection);
    const part = { name: undefined, first: true, turn: undefined };
    await task.scan(source, part).finally(() => source.close());
  }
  task.finish();
  const [first = '', ...more] = Buffer.concat(printed)
    .toString()
    .split(selection.nullTerminated ? '\0' : '\n')
    .filter((record) => record !== '')
    .slice(0, NAMED_KEYS);
  const named = [first, ...more].map((record) => displayName(record)).join(', ');
  return new BloomError(
    'input',
    `nothing was written: ${plural(clashes, 'key')} ${agreeing(clashes, 'is')} both to be added and protected by --never: ${named}${clashes > NAMED_KEYS ? ', ...' : ''}`,
    'add --never-wins to leave such keys out of the filter, or --member-wins to keep them in it',
  );
}
