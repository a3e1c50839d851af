import { BloomError } from '../errors.ts';
import { blocked } from './blocked.ts';
import { bloom } from './bloom.ts';
import { counting } from './counting.ts';
import { cuckoo } from './cuckoo.ts';
import type { FilterKind } from './kind.ts';

/** Every kind; the first is the default. */
export const KINDS: readonly [FilterKind, ...FilterKind[]] = [bloom, blocked, counting, cuckoo];

/** The kind of a header. `name` is the file's, for the message. Throws a `format` error. */
export function kindWithId(id: number, name: string): FilterKind {
  const kind = KINDS.find((candidate) => candidate.id === id);
  if (kind === undefined) {
    throw new BloomError(
      'format',
      `${name} is of kind number ${id}, which this bloom does not know`,
      `use a newer bloom; known kinds: ${kindNames()}`,
    );
  }
  return kind;
}

/** The names of all kinds, for messages and help. */
export function kindNames(): string {
  return KINDS.map((kind) => kind.name).join(', ');
}
