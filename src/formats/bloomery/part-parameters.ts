import { damaged } from '../../errors.ts';
import type { Shape } from '../../filters/kind.ts';
import { partOf, type Share } from '../../sizing/share.ts';

// Which part of a filter this is, in 40 bytes of the header:
//
//   offset bytes field
//        0     4 number of the part, from 1
//        4     4 number of parts, at least 2
//        8    32 zeros

const PART_BYTES = 8;

/** Writes which part of a filter its segments are. */
export function encodePart({ part, parts }: Share, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint32(0, part, true);
  view.setUint32(4, parts, true);
}

/** The part of a filter that the bytes name. Throws a `format` error for one that it cannot have. */
export function decodePart<S extends Shape>(whole: S, bytes: Uint8Array, name: string): S {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [part, parts] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (parts < 2 || parts > whole.segments || part < 1 || part > parts)
    throw damaged(name, `its header gives an impossible part, ${part} of ${parts}, of ${whole.segments} segments`);
  if (bytes.subarray(PART_BYTES).some((byte) => byte !== 0))
    throw damaged(name, 'its header has more than a part needs');
  return partOf(whole, part, parts);
}
