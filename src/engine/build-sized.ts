import { BloomError } from '../errors.ts';
import { sum } from '../filters/kind.ts';
import { HASHES } from '../hashes/registry.ts';
import { displayName, identityOf } from '../io/look.ts';
import { count } from '../quantities.ts';
import {
  type Blueprint,
  type BuildRequest,
  type BuildResult,
  countsOf,
  keyCount,
  keysOf,
  read,
} from './build-request.ts';
import { itemsToPlanFor } from './capacity.ts';
import { requireMemory } from './filter/payload.ts';
import { areRegular, fileOf, type Input } from './input/input.ts';
import { keptInputs } from './input/kept-inputs.ts';
import type { WorkProgress } from './input/progress.ts';
import { KEPT_KEYS } from './tasks/digest-log.ts';
import type { Tally, TaskResult } from './tasks/task.ts';
import type { Pass } from './threads/pass.ts';
import { createWorkerPool } from './threads/worker-pool.ts';
import { newVessel, type Vessel } from './vessel.ts';

/** A filter, and the parameters that it was given for as many keys as were found. */
export interface SizedBuild<P> {
  readonly parameters: P;
  readonly result: BuildResult;
}

/**
 * Adds the keys of all inputs to a new filter whose parameters `parametersFor` derives from the number of keys to size it
 * for: counted exactly while there are few, else estimated. The digests wait meanwhile. Too many for the memory wait in a
 * temporary file; regular files are read a second time instead. So are, where positions depend on the size, the records of others,
 * which are kept.
 */
export async function buildWithSizing<P extends Blueprint>(
  request: BuildRequest,
  parametersFor: (items: number) => P | Promise<P>,
): Promise<SizedBuild<P>> {
  // Keys are hashed again once it is known.
  if (request.rules.parameters === undefined || areRegular(request.inputs)) return sizedBuild(request, parametersFor);
  const kept = await keptInputs(request.inputs, request.selection, request.observer);
  return sizedBuild({ ...request, inputs: kept.inputs }, parametersFor).finally(kept.close);
}

async function sizedBuild<P extends Blueprint>(
  request: BuildRequest,
  parametersFor: (items: number) => P | Promise<P>,
): Promise<SizedBuild<P>> {
  const { context, inputs, kind, rules, inOrder = false } = request;
  const areOfSize = rules.parameters !== undefined;
  const names = inputs.flatMap((input) => fileOf(input) ?? []);
  const identities = new Map(names.map((name) => [name, identityOf(name)]));
  try {
    const alone = createWorkerPool(1);
    const counting = areOfSize ? { ...request, rules: { ...COUNTING, encoding: rules.encoding } } : request;
    const counted = await countKeys(inOrder && !areRegular(inputs) ? { ...counting, pool: alone } : counting);
    const parameters = await parametersFor(itemsToPlanFor(kind, keyCount(context, counted.results)));
    requireMemory(parameters.shape, kind);
    const vessel = newVessel({ ...request, rules: rulesFor(request, parameters) }, parameters);
    const isKept = counted.results.every((result) => result.type === 'survey' && result.isKept);
    // What waits with several threads has no order.
    if (isKept && !areOfSize && !(inOrder && counted.results.length > 1)) {
      const pool = inOrder ? alone : vessel.pool;
      const filled = await read({ ...request, pool, inputs: [] }, vessel.adding(true));
      return { parameters, result: await vessel.completed({ counted: counted.results, filled }) };
    }
    const again = await fill(
      unchanged({ ...request, rules: rulesFor(request, parameters) }, identities),
      vessel,
      counted.keys,
    );
    const result = await vessel.completed({ counted: again, filled: again });
    return { parameters, result: { ...result, late: countsOf(again).keys - countsOf(counted.results).keys } };
  } finally {
    context.log?.close();
  }
}

/** How keys are hashed that are only counted. */
const COUNTING = { hash: HASHES[0].name, seed: 0n, ignoreCase: false, trim: false };

/** How keys are hashed for a filter once its size is known. */
function rulesFor({ rules }: BuildRequest, { draft }: Blueprint): BuildRequest['rules'] {
  return draft === undefined ? rules : { ...draft.description.rules, encoding: rules.encoding };
}

/** Counts the keys of all inputs, and those of each. */
async function countKeys(request: BuildRequest): Promise<{ results: readonly TaskResult[]; keys: readonly number[] }> {
  const { context, inputs, pool } = request;
  const { keys, note } = countByInput(inputs);
  const isRegular = areRegular(inputs);
  const keptKeys = KEPT_KEYS * pool.threadCount;
  const isReadTwice = () => isRegular && (context.log?.isComplete() === false || sum(keys) > keptKeys);
  const results = await read(
    inPass(request, () => (isReadTwice() ? 1 : undefined)),
    { type: 'survey', ...keysOf(request), spills: !isRegular },
    note,
  );
  return { results, keys };
}

/** Adds the keys of all inputs, of each of which there must be as many as were counted. */
async function fill(request: BuildRequest, vessel: Vessel, counted: readonly number[]): Promise<readonly TaskResult[]> {
  const { keys, note } = countByInput(request.inputs);
  const results = await read(
    inPass({ ...request, pool: vessel.pool }, () => 2),
    vessel.adding(false),
    note,
  );
  for (const [i, input] of request.inputs.entries()) {
    const [before = 0, now = 0] = [counted[i], keys[i]];
    // What was kept has stayed as it is.
    const file = fileOf(input);
    if (now >= before || file === undefined) continue;
    throw new BloomError(
      'input',
      `nothing was written: ${displayName(file)} had ${count(before)} ${before === 1 ? 'key' : 'keys'} at its first reading, and ${count(now)} at its second`,
      'build from files that nobody changes, or from a pipe',
    );
  }
  return results;
}

/**
 * The same request for a second pass. What could not be read the first time has been reported; a name that means
 * another file now is an error, as the keys that were counted are no longer there.
 */
function unchanged(request: BuildRequest, identities: ReadonlyMap<string, string | undefined>): BuildRequest {
  for (const [name, identity] of identities) {
    if (identityOf(name) === identity) continue;
    throw new BloomError(
      'input',
      `nothing was written: ${displayName(name)} was replaced or removed while it was read`,
      'build from files that nobody changes, or from a pipe',
    );
  }
  return { ...request, observer: { ...request.observer, onUnreadable: () => {} } };
}

/** The same request, whose progress bears the number of the pass. */
function inPass(request: BuildRequest, pass: () => 1 | 2 | undefined): BuildRequest {
  const { observer } = request;
  const onProgress = (progress: WorkProgress) => observer.onProgress?.({ ...progress, pass: pass() });
  return { ...request, observer: { ...observer, onProgress } };
}

/** Counts the keys of each input. */
function countByInput(inputs: readonly Input[]): { keys: number[]; note: NonNullable<Pass['onTally']> } {
  const keys = inputs.map(() => 0);
  const note = (input: number, tally: Tally) => {
    keys[input] = (keys[input] ?? 0) + tally.keys;
    return false;
  };
  return { keys, note };
}
