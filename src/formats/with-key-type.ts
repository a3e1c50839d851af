import { BloomError } from '../errors.ts';
import type { Description } from './description.ts';
import type { KeyType } from './key-types.ts';

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
