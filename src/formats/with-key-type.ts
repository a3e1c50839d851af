import { BloomError } from '../errors.ts';
import type { Description } from './description.ts';
import type { KeyType } from './key-types.ts';

/** A filter whose keys are of a type. Throws a `mismatch` error for one that its system does not have. */
export function withKeyType(description: Description, keyType: KeyType, name: string): Description {
  const { format, rules } = description;
  // Nothing new is said of what the file says: without a type its keys are text.
  const known = description.keyType ?? (description.rules.encoding === undefined ? 'text' : undefined);
  if (keyType === known && keyType in format.keyTypes) return { ...description, keyType };
  const { encoding, hash = rules.hash } = format.keyTypes[keyType] ?? refuse(format, keyType, name);
  return { ...description, keyType, rules: { ...rules, hash, encoding, encodingParameters: undefined } };
}

function refuse({ system, keyTypes }: Description['format'], keyType: KeyType, name: string): never {
  const known = Object.keys(keyTypes);
  throw new BloomError(
    'mismatch',
    `${name} is a filter of ${system}, whose keys are not of type ${keyType}`,
    known.length === 1 ? 'leave --key-type out' : `expected one of ${known.join(', ')}`,
  );
}
