import { sum } from '../filters/kind.ts';
import { HASHES } from '../hashes/registry.ts';
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
import { requireMemory, requireMemoryToBuild } from './filter/payload.ts';
import { areRegular } from './input/input.ts';
import { keptInputs } from './input/kept-inputs.ts';
import { countByInput, identitiesOf, inPass, requireKeys, unchanged } from './read-again.ts';
import { KEPT_KEYS } from './tasks/digest-log.ts';
import type { TaskResult } from './tasks/task-result.ts';
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
  const identities = identitiesOf(inputs);
  try {
    const alone = createWorkerPool(1);
    const counting = areOfSize ? { ...request, rules: { ...COUNTING, encoding: rules.encoding } } : request;
    const counted = await countKeys(inOrder && !areRegular(inputs) ? { ...counting, pool: alone } : counting);
    const parameters = await parametersFor(itemsToPlanFor(kind, keyCount(context, counted.results)));
    const requireRoom = parameters.draft === undefined ? requireMemoryToBuild : requireMemory;
    requireRoom(parameters.shape, kind);
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

/** The parameters of a filter for the keys of all inputs, which are only counted. */
export async function parametersOfCounted<P>(
  request: BuildRequest,
  parametersFor: (items: number) => P | Promise<P>,
): Promise<P> {
  const { context, kind } = request;
  try {
    const { results } = await countKeys(request);
    return await parametersFor(itemsToPlanFor(kind, keyCount(context, results)));
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
    inPass(request, () => (isReadTwice() ? { number: 1, of: 2 } : undefined)),
    { type: 'survey', ...keysOf(request), spills: !isRegular },
    note,
  );
  return { results, keys };
}

/** Adds the keys of all inputs, of each of which there must be as many as were counted. */
async function fill(request: BuildRequest, vessel: Vessel, counted: readonly number[]): Promise<readonly TaskResult[]> {
  const { keys, note } = countByInput(request.inputs);
  const results = await read(
    inPass({ ...request, pool: vessel.pool }, () => ({ number: 2, of: 2 })),
    vessel.adding(false),
    note,
  );
  requireKeys(request.inputs, counted, keys, false);
  return results;
}
