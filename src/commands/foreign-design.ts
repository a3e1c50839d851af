import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import { BloomError } from '../errors.ts';
import type { ArrayBlueprint, Making } from '../formats/array-blueprint.ts';
import type { Format } from '../formats/format.ts';
import { withKeyType } from '../formats/stated-keys.ts';
import { parseSizing } from '../options/sizing.ts';
import { refuseUnused } from '../options/unused.ts';
import { type Constraints, DEFAULT_FPR, withHeadroom } from '../sizing/solve.ts';
import { requireAccepted } from '../sizing/systems/system.ts';
import { type DesignFlags, keyHashOf } from './design-flags.ts';

/** A number of keys for which every system makes filters. */
const FEW = 100;

/**
 * The design of a filter of another system, sized by its rules. Throws a `usage` error for features that it does not
 * have.
 */
export async function foreignDesign(
  { format, making }: { format: Format; making: Making },
  flags: DesignFlags,
): Promise<Design> {
  refuseOurs(format, making, flags);
  const { sizing } = making;
  const constraints = parseSizing(flags);
  requireAccepted(sizing, constraints);
  const seed = seedOf(making, flags.seed);
  const parametersOf = async (stated: Constraints): Promise<FilterParameters> => {
    const plan = sizing.plan(stated) ?? sizing.plan({ ...stated, fpr: stated.fpr ?? DEFAULT_FPR });
    if (plan === undefined) throw new BloomError('usage', 'these flags do not determine a filter', 'state -n and -p');
    return arrayParameters(await making.blueprint(plan, seed), plan.items, plan.fpr);
  };
  // The description does not depend on the size, apart from the shape.
  const { description, countsKeys, growth } = blueprintOf(
    await parametersOf({ ...constraints, items: constraints.items ?? FEW }),
  );
  const { keyType } = flags;
  const { kind, rules } =
    keyType === undefined ? description : withKeyType(description, keyType, `what ${making.name} makes`);
  const inOrder = countsKeys || growth !== undefined;
  const keyHash = keyHashOf(flags);
  if (keyHash !== undefined && rules.encoding !== undefined)
    throw new BloomError(
      'usage',
      '--key-hash makes text of keys, and --key-type states another type',
      'leave out one of them',
    );
  const design = { kind, rules: { ...rules, keyHash }, keyType, inOrder };
  if (constraints.items !== undefined)
    return { ...design, size: { type: 'fixed', parameters: await parametersOf(constraints) } };
  const forItems = (items: number) => parametersOf({ ...constraints, items: withHeadroom(items, flags.headroom) });
  return { ...design, size: { type: 'counted', parametersFor: forItems } };
}

function blueprintOf({ arrays: blueprint }: FilterParameters): ArrayBlueprint {
  if (blueprint === undefined) throw new Error('there is no blueprint');
  return blueprint;
}

/** The parameters of a filter with this blueprint. */
export function arrayParameters(blueprint: ArrayBlueprint, capacity: number, targetFpr: number): FilterParameters {
  return { shape: blueprint.description.shape, capacity, targetFpr, arrays: blueprint };
}

/** Throws a `usage` error for flags that only bloomery's own filters support. */
function refuseOurs({ system }: Format, { seeds }: Making, flags: DesignFlags): void {
  const others = ['segmentSize', 'kind', 'hash', 'tightening', 'ignoreCase', 'trim', 'suffixes', 'prefixes'] as const;
  refuseUnused(flags, others, `files of ${system} do not store it`);
  if (seeds === undefined) refuseUnused(flags, ['seed'], `filters of ${system} have a fixed seed`);
}

function seedOf({ name, seeds }: Making, stated: DesignFlags['seed']): bigint {
  if (stated === undefined || seeds === undefined) return 0n;
  const [first, last] = seeds;
  if (stated === 'random')
    throw new BloomError('usage', `--format ${name} does not accept a random seed`, 'state a number');
  if (stated >= first && stated <= last) return stated;
  throw new BloomError(
    'usage',
    `a seed of --format ${name} is from ${first} to ${last}, not ${stated}`,
    'state another one',
  );
}
