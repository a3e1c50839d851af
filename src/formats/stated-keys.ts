import { BloomError } from '../errors.ts';
import { isOwnKind } from '../filters/registry.ts';
import { nameOfKeyHash } from '../hashes/key-hashes.ts';
import type { Description, Lookup } from './description.ts';
import type { KeyType } from './key-types.ts';
import type { Opening } from './opening.ts';

/** A filter with a stated key type. Throws a `mismatch` error if its system does not have the type. */
export function withKeyType(description: Description, keyType: KeyType, name: string): Description {
  const { format, rules } = description;
  // Stating the type that the file already has is not an error. Without a type, keys are text.
  const known = description.keyType ?? (description.rules.encoding === undefined ? 'text' : undefined);
  if (keyType === known && keyType in format.keyTypes) return { ...description, keyType };
  const { encoding, hash = rules.hash } = format.keyTypes[keyType] ?? refuse(format, keyType, name);
  return { ...description, keyType, rules: { ...rules, hash, encoding, encodingParameters: undefined } };
}

function refuse({ system, keyTypes }: Description['format'], keyType: KeyType, name: string): never {
  const known = Object.keys(keyTypes);
  throw new BloomError(
    'mismatch',
    `${name} is a filter of ${system}, and --key-type ${keyType} does not exist there`,
    known.length === 1 ? 'leave out --key-type' : `state one of ${known.join(', ')}`,
  );
}

/** A filter in which a query looks up keys other than those of the records. Throws a `mismatch` error for keys that are not text. */
export function withLookup<D extends Description>(description: D, lookup: Lookup, name: string): D {
  const { rules, keyType } = description;
  if (rules.lookup === 'suffixes' && lookup !== 'cases') return description;
  if (rules.encoding !== undefined)
    throw new BloomError(
      'mismatch',
      `the keys of ${name} are of type ${keyType ?? rules.encoding}, ${lookup === 'cases' ? 'for which --fold has no meaning' : 'which have no parent domains'}`,
      `leave out ${lookup === 'cases' ? '--fold' : '--suffixes'}`,
    );
  return { ...description, rules: { ...rules, lookup } };
}

/**
 * A filter with a stated key hash, or whose digests are given. Throws a `mismatch` error if the filter has another one, and a `usage` error
 * if the hash of the digests is unknown.
 */
export function withKeyHash(
  description: Description,
  { keyHash: stated, areHashed }: Pick<Opening, 'keyHash' | 'areHashed'>,
  name: string,
): Description {
  const { rules, kind, format } = description;
  const known = rules.keyHash && nameOfKeyHash(rules.keyHash);
  if (stated !== undefined && nameOfKeyHash(stated) !== known) {
    const wanted = `--key-hash ${nameOfKeyHash(stated)}`;
    if (known !== undefined)
      throw new BloomError('mismatch', `the keys of ${name} are hashed with ${known}, not ${wanted}`, 'leave it out');
    if (isOwnKind(kind))
      throw new BloomError(
        'mismatch',
        `the keys of ${name} are not hashed, and ${wanted} would not find them`,
        'leave it out',
      );
    if (rules.encoding !== undefined)
      throw new BloomError('mismatch', `${wanted} needs keys of text, and those of ${name} are not`, 'leave it out');
  }
  const keyHash = stated ?? rules.keyHash;
  if (areHashed && keyHash === undefined)
    throw new BloomError(
      'usage',
      `--hashed reads digests, and ${name}, a filter of ${format.system}, does not state of which hash`,
      'add --key-hash with its name, or leave out --hashed',
    );
  return {
    ...description,
    rules: { ...rules, keyHash: keyHash && { ...keyHash, ...(areHashed && { areGiven: true }) } },
  };
}
