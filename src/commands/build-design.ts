import { type Design, ownDesign } from '../engine/design.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import { isOwnKind, KINDS } from '../filters/registry.ts';
import type { KeyRules } from '../formats/description.ts';
import { because } from '../formats/fixed.ts';
import type { FlatFile } from '../formats/format.ts';
import { makingNamed } from '../formats/makings.ts';
import { openFilterFile } from '../formats/open.ts';
import { HASHES } from '../hashes/registry.ts';
import { displayName } from '../io/look.ts';
import { randomHex } from '../io/random.ts';
import { parseSizing, refuseGrowth } from '../options/sizing.ts';
import { nameOfFlag } from '../options/unused.ts';
import { type DesignFlags, OF_SIZE } from './design-flags.ts';
import { arrayParameters, foreignDesign } from './foreign-design.ts';

/**
 * The design that flags state, with a rate that holds where they state none. A random seed is drawn here. Throws a `usage` error for
 * those that contradict each other.
 */
export async function designOf(flags: DesignFlags, defaultFpr?: number): Promise<Design> {
  const foreign = flags.format === undefined ? undefined : makingNamed(flags.format);
  return foreign === undefined ? ownDesignOf(flags, defaultFpr) : foreignDesign(foreign, flags);
}

/** The same for a filter of our own format. */
export function ownDesignOf(flags: DesignFlags, defaultFpr?: number): Design<FilterKind> {
  requireText(flags);
  const kind = KINDS.find(({ name }) => name === flags.kind) ?? KINDS[0];
  const rules: KeyRules = {
    hash: flags.hash ?? HASHES[0].name,
    seed: flags.seed === 'random' ? BigInt(`0x${randomHex(8)}`) : (flags.seed ?? 0n),
    ignoreCase: flags.ignoreCase === true,
    trim: flags.trim === true,
  };
  const constraints = parseSizing(flags);
  if (kind.capacity === undefined) refuseGrowth(flags);
  if (flags.segmentSize !== undefined) requireFine(kind);
  return ownDesign(kind, rules, constraints, { headroom: flags.headroom, defaultFpr });
}

/** Throws a `usage` error for a kind whose segments have to be large. */
function requireFine({ name, dividesFinely }: FilterKind): void {
  if (dividesFinely) return;
  const others = KINDS.filter((kind) => kind.dividesFinely).map((kind) => kind.name);
  throw new BloomError(
    'usage',
    `--segment-size needs segments that never get full and do not grow, which a ${name} filter does not have`,
    `choose --kind ${others.join(' or ')}, or drop it`,
  );
}

/** Throws a `usage` error for keys that our own filters do not have. */
function requireText({ keyType = 'text' }: DesignFlags): void {
  if (keyType === 'text') return;
  throw new BloomError(
    'usage',
    `filters of the format bloomery have keys of text, not of type ${keyType}`,
    'choose a --format that has this type',
  );
}

/** Throws a `usage` error for a filter of whose keys no digests are made beforehand. */
export function requireOwnDigests({ rules: { hash, encoding, prefix } }: Design): void {
  if (HASHES.some(({ name }) => name === hash) && encoding === undefined && prefix === undefined) return;
  throw new BloomError(
    'usage',
    '--digests works only for the format bloomery: this filter hashes its keys in another way',
    'build it from the records',
  );
}

/** Throws a `usage` error for a filter of another system. */
export function requireOwnFormat(design: Design, flag: string): Design<FilterKind> {
  const { kind } = design;
  if (isOwnKind(kind)) return { ...design, kind };
  throw new BloomError('usage', `${flag} works only for the format bloomery`, 'leave out --format');
}

/** The flags that fix what --like takes from the other filter. */
const FIXED_BY_LIKE = ['format', ...OF_SIZE, 'hash', 'seed', 'ignoreCase', 'trim'] as const;

/** The design of another filter. Throws a `usage` error for flags that state something else. */
export async function designLike(like: string, flags: DesignFlags): Promise<Design> {
  const given = FIXED_BY_LIKE.find((flag) => flags[flag] !== undefined);
  if (given !== undefined) {
    throw new BloomError(
      'usage',
      `--like copies every parameter of ${displayName(like)}, so ${nameOfFlag(given)} cannot be stated`,
      'drop one of them',
    );
  }
  const { keyType } = flags;
  const file = await openFilterFile(like, 'build', { keyType });
  file.close();
  const { kind, rules, shape, target } = file.description;
  if (!isOwnKind(kind)) return designLikeArrays(file);
  if (target === undefined)
    throw new BloomError('mismatch', `${file.name} does not say what it was sized for`, 'state -n and -p');
  return { kind, rules, size: { type: 'fixed', parameters: { shape, kind, ...target } } };
}

/** The design of a filter of arrays. Throws a `format` error for one like which none can be made. */
function designLikeArrays(file: Pick<FlatFile, 'name' | 'description' | 'like' | 'fixedAs'>): Design {
  const { name, description, like } = file;
  if (like === undefined)
    throw new BloomError(
      'format',
      `${name} is not one of the filters of ${description.format.system} like which one can be made${because(file)}`,
      'name a --format, -n and -p',
    );
  const blueprint = like();
  const { kind, rules, keyType } = description;
  const { capacity, targetFpr } = blueprint.description.target ?? { capacity: 0, targetFpr: 1 };
  const inOrder = blueprint.countsKeys || blueprint.growth !== undefined;
  const parameters = arrayParameters(blueprint, capacity, targetFpr);
  return { kind, rules, keyType, inOrder, size: { type: 'fixed', parameters } };
}
