// The first bytes of streams of Java's object serialization (Java Object Serialization Specification, chapter 6).

import { bears, signatureOf } from '../../io/signature.ts';

const BEGIN = '\xac\xed\0\x05';
export const BEGIN_BYTES = BEGIN.length;

/** Codes before the items of a stream. */
export const CODE = {
  nothing: 0x70,
  reference: 0x71,
  class: 0x72,
  object: 0x73,
  text: 0x74,
  end: 0x78,
  constant: 0x7e,
};

/** The first bytes of any stream, and of a stream that begins with an object of this class. */
export const STREAM = signatureOf(BEGIN);
export const objectOf = (className: string) =>
  signatureOf(`${BEGIN}${String.fromCharCode(CODE.object, CODE.class, 0, className.length)}${className}`);

/** The class of Guava filters, BloomFilter.SerialForm. */
export const GUAVA_PACKAGE = 'com.google.common.hash.';
export const SERIAL_FORM = objectOf(`${GUAVA_PACKAGE}BloomFilter$SerialForm`);

/** Whether a file begins as a stream. */
export const isStream = (head: Uint8Array) => bears(head, STREAM);

/** The class of the first object of a stream. Undefined if the first bytes show none. */
export function classNameIn(head: Uint8Array): string | undefined {
  const [object, type, high = 0, low = 0] = head.subarray(BEGIN_BYTES);
  const start = BEGIN_BYTES + 4;
  const end = start + 256 * high + low;
  if (object !== CODE.object || type !== CODE.class || head.length < end) return undefined;
  return Buffer.from(head.subarray(start, end)).toString('latin1');
}
