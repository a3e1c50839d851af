import { BloomError, damaged } from '../errors.ts';
import { wholeOf } from '../sizing/share.ts';
import { blocked } from './blocked.ts';
import { bloom } from './bloom.ts';
import { counting } from './counting.ts';
import { cuckoo } from './cuckoo.ts';
import { formerFuse, formerProtectedFuse, fuse, protectedFuse } from './fuse.ts';
import type { Ability, FilterKind, Shape, Structure } from './kind.ts';
import { quotient } from './quotient.ts';
import { formerProtectedRibbon, protectedRibbon, ribbon } from './ribbon.ts';
import { scalable } from './scalable.ts';

/** Every kind; the first is the default. */
export const KINDS: readonly [FilterKind, ...FilterKind[]] = [
  bloom,
  blocked,
  counting,
  scalable,
  cuckoo,
  quotient,
  ribbon,
  fuse,
];

/** Kinds that exist in files, but are no longer made. */
export const FORMER_KINDS: readonly FilterKind[] = [formerFuse, formerProtectedRibbon, formerProtectedFuse];

/** Kinds with protected keys. They have the names of kinds without. */
export const PROTECTED_KINDS: readonly FilterKind[] = [protectedRibbon, protectedFuse];

const ALL_KINDS = [...KINDS, ...FORMER_KINDS, ...PROTECTED_KINDS];

/** The kind of a header. `name` is the file's, for the message. Throws a `format` error. */
export function kindWithId(id: number, name: string): FilterKind {
  const kind = ALL_KINDS.find((candidate) => candidate.id === id);
  if (kind === undefined) {
    throw new BloomError(
      'format',
      `${name} has the kind number ${id}, which this bloom does not know`,
      `use a newer bloom; known kinds: ${KINDS.map((known) => known.name).join(', ')}`,
    );
  }
  return kind;
}

/** Throws a `format` error for a filter that was read with a shape that its kind cannot have. */
export function requireShape(
  { kind, shape }: { readonly kind: FilterKind; readonly shape: Shape },
  name: string,
): void {
  const isChained = shape.chain !== undefined;
  const isProtected = shape.protectedKeys !== undefined;
  const hasParameters = isChained === (kind.growing !== undefined) && isProtected === (kind.protects !== undefined);
  if (hasParameters && kind.isShape(wholeOf(shape))) return;
  throw damaged(name, `its shape is impossible for a ${kind.name} filter`);
}

/** Whether a structure is a kind that bloom makes, or once made. */
export function isOwnKind(structure: Structure): structure is FilterKind {
  return ALL_KINDS.some((kind) => kind === structure);
}

/** The intended use of a filter. A merge is a union or a concatenation. */
export type Use = 'add' | 'remove' | 'merge';

const ABILITIES: Readonly<Record<Use, { readonly any: readonly Ability[]; readonly refusal: string }>> = {
  add: { any: ['add'], refusal: 'and no key can be added to it' },
  remove: { any: ['remove'], refusal: 'and no key can be removed from it' },
  merge: { any: ['union', 'concatenation'], refusal: 'which cannot be merged' },
};

/** Whether filters of this structure support a use. */
export function canBeUsed({ abilities }: Pick<Structure, 'abilities'>, use: Use): boolean {
  return ABILITIES[use].any.some((ability) => abilities.includes(ability));
}

/** Throws a `mismatch` error that names the kinds that support the use. */
export function requireUse(kind: Structure, use: Use, name: string): void {
  if (canBeUsed(kind, use)) return;
  const others = KINDS.filter((other) => canBeUsed(other, use)).map((other) => other.name);
  throw new BloomError(
    'mismatch',
    `${name} is a ${kind.name} filter, ${ABILITIES[use].refusal}`,
    `build it with --kind ${others.join(' or --kind ')}${use === 'remove' ? '' : ', or build it again from all keys'}`,
  );
}

/** The names of the kinds that grow, for messages about their flags. */
export function growingNames(): string {
  return KINDS.filter(({ growing }) => growing !== undefined)
    .map(({ name }) => name)
    .join(', ');
}
