import { BloomError } from '../errors.ts';

/** The error for a file that is not what it was when it was written. */
export function damaged(name: string, what: string): BloomError {
  return new BloomError('format', `${name} is damaged: ${what}`, 'restore it from a copy, or build it again');
}
