import type { KeyRules } from '../../formats/description.ts';
import { type Encoding, encodingNamed } from '../../hashes/encodings.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { VISIT_LIMIT } from './digests.ts';
import { createLeftFloats } from './left-floats.ts';
import { PADDING } from './record-buffer.ts';

/**
 * Makes of `count` keys, by their spans, the bytes that are hashed, and their spans those of these; `most` is what the bytes of
 * all keys can be. Returns how many keys are no value of the type that is asked for: their spans are those of no key.
 */
export type EncodeKeys = (spans: number, count: number, most: number) => number;

/** Whether keys are hashed as they are, under some rules. */
export function isHashedAsItIs({ ignoreCase, trim, encoding, prefix }: KeyRules): boolean {
  return !ignoreCase && !trim && encoding === undefined && prefix === undefined;
}

/** The encoding of keys under some rules. */
export function createEncoding(
  kernel: Kernel,
  { ignoreCase, trim, encoding, encodingParameters, prefix }: KeyRules,
): EncodeKeys {
  const { exports: entries } = kernel;
  const trims = trim || (encoding !== undefined && encodingNamed(encoding).trims);
  const encode = encoding === undefined ? undefined : createTyping(kernel, encodingNamed(encoding), encodingParameters);
  const fold = ignoreCase ? createFolding(kernel) : undefined;
  return (spans, count, most) => {
    if (trims) entries.trimKeys(spans, count);
    fold?.(spans, count, most);
    const without = encode?.(spans, count, most) ?? 0;
    if (prefix !== undefined) entries.cutKeys(spans, count, prefix);
    return without;
  };
}

function createFolding(kernel: Kernel): (spans: number, count: number, most: number) => void {
  const roomFor = createRoom(kernel);
  return (spans, count, most) => kernel.exports.foldKeys(spans, count, roomFor(most));
}

function createTyping(kernel: Kernel, encoding: Encoding, parameters = encoding.parameters): EncodeKeys {
  const { entry, room } = encoding;
  const left = entry === 'encodeFloats' ? createLeftFloats(kernel, parameters) : undefined;
  const told = left === undefined ? parameters : [...parameters, BigInt(left.address)];
  const at = kernel.reserve(8 * told.length);
  new BigUint64Array(kernel.memory.buffer, at, told.length).set(told);
  const roomFor = createRoom(kernel);
  return (spans, count, most) => {
    const to = roomFor(room.key * VISIT_LIMIT + room.byte * most);
    const without = kernel.exports[entry](spans, count, to, at);
    return without + (left?.encode(spans, to) ?? 0);
  };
}

/** Room for so many bytes, of which no more is taken than was ever wanted. */
export function createRoom(kernel: Kernel): (bytes: number) => number {
  let address = 0;
  let size = -1;
  return (bytes) => {
    if (bytes > size) {
      address = kernel.reserve(bytes + PADDING);
      size = bytes;
    }
    return address;
  };
}
