import { sum } from '../filters/kind.ts';
import type { KeyRules } from '../formats/description.ts';
import type { Design } from './design.ts';
import { type Filled, fill } from './fill.ts';
import { areRegular } from './input/input.ts';
import { keptInputs } from './input/kept-inputs.ts';
import { countByInput, identitiesOf, inPass, requireKeys, unchanged } from './read-again.ts';
import { COUNTING, countsOf, type KindOfKeys, keyCount, type Reading, type Threads } from './reading.ts';
import { itemsToPlanFor } from './store/capacity.ts';
import { type Blueprint, emptyFilter, requireMemoryFor } from './store/fillable.ts';
import { KEPT_KEYS } from './tasks/digest-log.ts';
import type { TaskResult } from './tasks/task-result.ts';
import { runPass } from './threads/pass.ts';
import { createWorkerPool } from './threads/worker-pool.ts';

/** What is counted, and whether keys are added in order. */
type Counted = KindOfKeys & Pick<Design, 'inOrder'>;

/** A filter, and its parameters for the number of counted keys. */
export interface CountedBuild<P> {
  readonly parameters: P;
  readonly filled: Filled;
  /** Keys that only the second reading of the inputs had: the filter was not sized for them. */
  readonly unplanned: number;
}

/**
 * Adds the keys of all inputs to a new filter. `parametersFor` derives the parameters from the number of distinct keys: exact for few keys,
 * otherwise an estimate.
 *
 * The digests are kept meanwhile: in memory, then in a temporary file. Regular files are read a second time instead. If positions depend on
 * the size, other inputs are copied, and their copies are read a second time.
 */
export async function buildCounted<P extends Blueprint>(
  of: Counted,
  parametersFor: (items: number) => P | Promise<P>,
  reading: Reading,
  threads: Threads,
): Promise<CountedBuild<P>> {
  const { inputs, selection, observer } = reading;
  if (of.rules.parameters === undefined || areRegular(inputs))
    return countThenFill(of, parametersFor, reading, threads);
  const kept = await keptInputs(inputs, selection, observer);
  return countThenFill(of, parametersFor, { ...reading, inputs: kept.inputs }, threads).finally(kept.close);
}

async function countThenFill<P extends Blueprint>(
  { kind, rules, inOrder = false }: Counted,
  parametersFor: (items: number) => P | Promise<P>,
  reading: Reading,
  threads: Threads,
): Promise<CountedBuild<P>> {
  const { inputs } = reading;
  const { context, pool } = threads;
  const alone = { context, pool: createWorkerPool(1) };
  // The digests depend on the size of the filter, so keys are hashed again once the size is known.
  const areOfSize = rules.parameters !== undefined;
  const identities = identitiesOf(inputs);
  try {
    const countingRules = areOfSize ? { ...COUNTING, encoding: rules.encoding, keyHash: rules.keyHash } : rules;
    const isAlone = inOrder && !areRegular(inputs);
    const counted = await countKeys(countingRules, reading, isAlone ? alone : threads);
    const parameters = await parametersFor(itemsToPlanFor(kind, keyCount(context, counted.results)));
    requireMemoryFor(parameters);
    const sized = { kind, rules: rulesFor(rules, parameters) };
    const empty = emptyFilter(parameters, pool.threadCount);
    const areKept = counted.results.every((result) => result.type === 'survey' && result.isKept);
    // Digests that several threads kept are not in the order of the records.
    if (areKept && !areOfSize && !(inOrder && counted.results.length > 1)) {
      const filled = await fill(sized, empty, reading, inOrder ? alone : threads, { counted: counted.results });
      return { parameters, filled, unplanned: 0 };
    }
    const { keys, note } = countByInput(inputs);
    const again = inPass(unchanged(reading, identities), () => ({ number: 2, of: 2 }));
    const filled = await fill(sized, empty, again, threads, { onTally: note });
    requireKeys(inputs, counted.keys, keys, false);
    return { parameters, filled, unplanned: filled.inserted + filled.elsewhere - countsOf(counted.results).keys };
  } finally {
    context.log?.close();
  }
}

/** The parameters of a filter for the keys of all inputs; the keys are only counted. */
export async function parametersOfCounted<P>(
  { kind, rules }: KindOfKeys,
  parametersFor: (items: number) => P | Promise<P>,
  reading: Reading,
  threads: Threads,
): Promise<P> {
  const { context } = threads;
  try {
    const { results } = await countKeys(rules, reading, threads);
    return await parametersFor(itemsToPlanFor(kind, keyCount(context, results)));
  } finally {
    context.log?.close();
  }
}

/** The rules that hash keys for a filter once its size is known. */
function rulesFor(rules: KeyRules, { arrays }: Blueprint): KeyRules {
  return arrays === undefined
    ? rules
    : { ...arrays.description.rules, encoding: rules.encoding, keyHash: rules.keyHash };
}

/** Counts the keys of all inputs, and the keys of each input. */
async function countKeys(
  rules: KeyRules,
  reading: Reading,
  { context, pool }: Threads,
): Promise<{ results: readonly TaskResult[]; keys: readonly number[] }> {
  const { inputs, selection } = reading;
  const { keys, note } = countByInput(inputs);
  const isRegular = areRegular(inputs);
  const keptKeys = KEPT_KEYS * pool.threadCount;
  const isReadTwice = () => isRegular && (context.log?.isComplete() === false || sum(keys) > keptKeys);
  const { observer } = inPass(reading, () => (isReadTwice() ? { number: 1, of: 2 } : undefined));
  const spec = { type: 'survey', selection, rules, spills: !isRegular } as const;
  return { results: await runPass({ context, pool, spec, inputs, observer, onTally: note }), keys };
}
