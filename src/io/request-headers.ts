// Headers of requests that a user states.

import { BloomError } from '../errors.ts';

/** Headers that bloom sets itself, or that would change the meaning of an answer. */
const OWN = /^(host|range|if-.*|accept-encoding|connection|content-.*|transfer-encoding|te|upgrade|expect|proxy-.*)$/i;

/** The name and the value of a header, after RFC 9110, 5.1 and 5.5. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\x20-\x7e\t]*$/;

/** Whether this is a header. */
export function isHeader(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value);
}

/** Throws a `usage` error for a header that bloom sets itself. */
export function requireOther(name: string, hint: string): void {
  if (OWN.test(name)) throw new BloomError('usage', `bloom states the header ${name} itself`, hint);
}
