import { type Design, ownDesign } from '../engine/design.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind, Shape } from '../filters/kind.ts';
import { canBeUsed, FORMER_KINDS, isOwnKind, KINDS } from '../filters/registry.ts';
import { DOMAINS, type KeyRules, NETWORKS } from '../formats/description.ts';
import { because } from '../formats/fixed.ts';
import type { BitArrayFile } from '../formats/format.ts';
import { makingNamed } from '../formats/makings.ts';
import { openFilterFile } from '../formats/open.ts';
import { HASHES } from '../hashes/registry.ts';
import { displayName } from '../io/look.ts';
import { randomHex } from '../io/random.ts';
import { parseSizing, refuseGrowth } from '../options/sizing.ts';
import { nameOfFlag, refuseUnused } from '../options/unused.ts';
import { UNIVERSE_FPR } from '../sizing/protected.ts';
import { type DesignFacts, type DesignFlags, keyHashOf, OF_SIZE } from './design-flags.ts';
import { arrayParameters, foreignDesign } from './foreign-design.ts';

/**
 * The design that flags state. If they state no rate, the default rate is used. A random seed is drawn here. Throws a
 * `usage` error for flags that contradict each other.
 */
export async function designOf(flags: DesignFlags, facts: DesignFacts = {}): Promise<Design> {
  const foreign = flags.format === undefined ? undefined : makingNamed(flags.format);
  return foreign === undefined
    ? ownDesignOf(flags, facts.isUniverse ? UNIVERSE_FPR : undefined, facts)
    : foreignDesign(foreign, flags);
}

/** The same for a filter of bloomery's own format. */
export function ownDesignOf(
  flags: DesignFlags,
  defaultFpr?: number,
  { protectedKeys, isUniverse }: DesignFacts = {},
): Design<FilterKind> {
  requireText(flags);
  if (flags.suffixes || flags.prefixes)
    refuseUnused(flags, ['keyHash'], '--suffixes and --prefixes look up names and addresses, which digests are not');
  const named = KINDS.find(({ name }) => name === flags.kind) ?? KINDS[0];
  const kind = protectedKeys === undefined ? named : protectingKind(named, isUniverse ? '--universe' : '--never');
  const rules: KeyRules = {
    hash: flags.hash ?? HASHES[0].name,
    seed: flags.seed === 'random' ? BigInt(`0x${randomHex(8)}`) : (flags.seed ?? 0n),
    ignoreCase: flags.ignoreCase ?? false,
    trim: flags.trim === true,
    ...keyRulesOf(flags),
    keyHash: keyHashOf(flags),
  };
  const constraints = { ...parseSizing(flags), protectedKeys, isUniverse };
  if (kind.capacity === undefined) refuseGrowth(flags);
  else if (flags.prefixes)
    throw new BloomError(
      'usage',
      `a ${kind.name} filter has no place for the lengths of networks`,
      'choose another --kind, or leave it out',
    );
  if (flags.segmentSize !== undefined) requireFine(kind);
  const design = ownDesign(kind, rules, constraints, { headroom: flags.headroom, defaultFpr });
  return { ...(flags.prefixes ? withMarkers(design) : design), keyType: keyRulesOf(flags)?.encoding };
}

/** The lengths of IPv4 blocks that have markers: from 17 to 31. Most blocks of lists are single addresses, which have none. */
const MARKED = 0x7fff;

/**
 * The design of a filter of networks, with markers if it is sized for the keys that are counted, markers included. A stated size is for
 * blocks alone. A marker serves several blocks, so none is removed with a block.
 */
function withMarkers(design: Design<FilterKind>): Design<FilterKind> {
  if (design.size.type !== 'counted' || canBeUsed(design.kind, 'remove')) return design;
  return { ...design, rules: { ...design.rules, marked: MARKED } };
}

/** The rules of keys that are not text. Throws a `usage` error for flags that contradict each other. */
export function keyRulesOf(
  flags: Pick<DesignFlags, 'suffixes' | 'prefixes'>,
): typeof DOMAINS | typeof NETWORKS | undefined {
  if (flags.prefixes) refuseUnused(flags, ['suffixes'], 'the keys of --prefixes are networks');
  return flags.prefixes ? NETWORKS : flags.suffixes && DOMAINS;
}

/** The kind of this name that has protected keys. Throws a `usage` error if there is none. */
export function protectingKind(kind: FilterKind, flag = '--never'): FilterKind {
  if (kind.protecting !== undefined) return kind.protecting;
  const others = KINDS.filter(({ protecting }) => protecting !== undefined).map(({ name }) => name);
  throw new BloomError(
    'usage',
    `${flag} needs a filter that is made from all keys at once, which a ${kind.name} filter is not`,
    `add --kind ${others.join(', or --kind ')}`,
  );
}

/** Throws a `usage` error for a kind whose segments cannot be small. */
function requireFine({ name, dividesFinely, protects }: FilterKind): void {
  if (dividesFinely) return;
  const others = KINDS.filter((kind) => kind.dividesFinely).map((kind) => kind.name);
  throw new BloomError(
    'usage',
    `--segment-size is not supported by ${protects ? 'filters with protected keys' : `${name} filters`}`,
    protects ? 'leave out --segment-size' : `choose --kind ${others.join(', ')}, or leave out --segment-size`,
  );
}

/** Throws a `usage` error for key types that bloomery's own filters do not have. */
function requireText({ keyType = 'text' }: DesignFlags): void {
  if (keyType === 'text') return;
  throw new BloomError(
    'usage',
    `filters of the format bloomery have keys of text, not of type ${keyType}`,
    'choose a --format that has this type',
  );
}

/** Throws a `usage` error for a filter whose keys `bloom digest` cannot hash. */
export function requireOwnDigests({ rules: { hash, encoding, prefix } }: Design): void {
  if (HASHES.some(({ name }) => name === hash) && encoding === undefined && prefix === undefined) return;
  throw new BloomError(
    'usage',
    '--digests works only for the format bloomery: this filter hashes its keys in another way',
    'build it from the records, without --digests',
  );
}

/** Throws a `usage` error for a filter of another system. */
export function requireOwnFormat(design: Design, flag: string): Design<FilterKind> {
  const { kind } = design;
  if (isOwnKind(kind)) return { ...design, kind };
  throw new BloomError('usage', `${flag} works only for the format bloomery`, 'leave out --format');
}

/** The flags that --like replaces. */
const FIXED_BY_LIKE = [
  'format',
  ...OF_SIZE,
  'hash',
  'seed',
  'ignoreCase',
  'trim',
  'suffixes',
  'prefixes',
  'keyHash',
] as const;

/** The design of another filter. Throws a `usage` error for flags that --like replaces. */
export async function designLike(like: string, flags: DesignFlags, facts?: DesignFacts): Promise<Design> {
  const given = FIXED_BY_LIKE.find((flag) => flags[flag] !== undefined);
  if (given !== undefined) {
    throw new BloomError(
      'usage',
      `--like copies every parameter of ${displayName(like)}, so ${nameOfFlag(given)} cannot be stated`,
      'leave out one of them',
    );
  }
  const { keyType, hashed } = flags;
  const file = await openFilterFile(like, 'build', { keyType, areHashed: hashed });
  file.close();
  const { kind, rules, keyType: ofFile, shape, target } = file.description;
  if (!isOwnKind(kind)) return designLikeArrays(file);
  if (FORMER_KINDS.includes(kind))
    throw new BloomError(
      'mismatch',
      `${file.name} is a ${kind.name} filter of an earlier version, and filters like it are no longer made`,
      'state -n and -p instead of --like',
    );
  if (target === undefined)
    throw new BloomError('mismatch', `${file.name} does not say what it was sized for`, 'state -n and -p');
  const own = facts === undefined ? shape : withProtectedKeys(shape, facts, file.name);
  return { kind, rules, keyType: ofFile, size: { type: 'fixed', parameters: { shape: own, kind, ...target } } };
}

/**
 * The shape of a filter that is built like another, with its own protected keys. Throws a `mismatch` error if only one of them has
 * protected keys.
 */
function withProtectedKeys(
  shape: Shape,
  { protectedKeys: keys, isUniverse = false }: DesignFacts,
  name: string,
): Shape {
  const has = shape.protectedKeys !== undefined;
  if (has && keys !== undefined) return { ...shape, protectedKeys: { ...shape.protectedKeys, keys, isUniverse } };
  if (has === (keys !== undefined)) return shape;
  throw new BloomError(
    'mismatch',
    has ? `${name} has protected keys, and a filter like it needs some` : `${name} has no protected keys`,
    has ? 'name their file with --never or --universe' : 'leave out the file, or --like',
  );
}

/** The design of a filter of arrays. Throws a `format` error if bloom cannot make a filter like it. */
function designLikeArrays(file: Pick<BitArrayFile, 'name' | 'description' | 'like' | 'fixedAs'>): Design {
  const { name, description, like } = file;
  if (like === undefined)
    throw new BloomError(
      'format',
      `bloom cannot make a filter like ${name}, a filter of ${description.format.system}${because(file)}`,
      'name a --format, -n and -p',
    );
  const blueprint = like();
  const { kind, rules, keyType } = description;
  const { capacity, targetFpr } = blueprint.description.target ?? { capacity: 0, targetFpr: 1 };
  const inOrder = blueprint.countsKeys || blueprint.growth !== undefined;
  const parameters = arrayParameters(blueprint, capacity, targetFpr);
  return { kind, rules, keyType, inOrder, size: { type: 'fixed', parameters } };
}
