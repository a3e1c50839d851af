// The filter of one column chunk in a file of its own: a header and the bits, or the bits alone.

import { damaged } from '../../errors.ts';
import { linkShape } from '../../filters/linked.ts';
import { splitBlocks } from '../../filters/split-blocks.ts';
import type { RandomAccess } from '../../io/random-access.ts';
import { arraysOf } from '../columns.ts';
import type { FlatFile, Format } from '../format.ts';
import { RULES, readHeader, requireBlocks, shapeOf } from './header.ts';
import { HEADER_LIMIT } from './sizes.ts';

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
