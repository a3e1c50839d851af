// The filter of one column chunk in a file of its own: a header and the bits, or the bits alone.

import { BloomError, damaged } from '../../errors.ts';
import { linkShape } from '../../filters/linked.ts';
import { splitBlocks } from '../../filters/split-blocks.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { arraysOf } from '../columns.ts';
import type { FlatFile, Format } from '../format.ts';
import { HEADER_LIMIT, RULES, readHeader, requireBlocks, shapeOf } from './header.ts';

/** The first byte of a header: its first field, a number. */
const HEADER_BEGIN = 0x15;

/** Whether a file of so many bytes, or of nobody knows how many, is a header that it begins with and its bits. */
export function isBare(head: DataView, size: number | undefined): boolean {
  if (head.getUint8(0) !== HEADER_BEGIN) return false;
  try {
    const { headerBytes, length } = readHeader(new Uint8Array(head.buffer, head.byteOffset, head.byteLength), 'it');
    return size === undefined || size === headerBytes + length;
  } catch (error) {
    if (error instanceof BloomError) return false;
    throw error;
  }
}

/** The filter of a file that has nothing else; `hasHeader` or only bits. Throws a `format` error for what is none. */
export function openBare(
  bytes: RandomAccess,
  { name, format, hasHeader, close }: { name: string; format: Format; hasHeader: boolean; close: () => void },
): FlatFile {
  const { headerBytes, length } = hasHeader
    ? readHeader(bytes.read(0, HEADER_LIMIT), name)
    : { headerBytes: 0, length: bytes.size };
  requireBlocks(length, name);
  if (headerBytes + length !== bytes.size)
    throw damaged(name, `it has ${bytes.size} bytes where its header promises ${headerBytes + length}`);
  const shape = shapeOf(length);
  const description = { format, kind: splitBlocks, shape: linkShape(shape), rules: RULES, bytes: bytes.size };
  return {
    layout: 'flat',
    name,
    description: { ...description, target: undefined, inserted: undefined },
    ...arraysOf(bytes, [{ shape, bytes: length, bits: headerBytes }]),
    verified: undefined,
    close,
  };
}
