import { basename } from 'node:path';
import type { Design } from '../engine/design.ts';
import type { InputSlice } from '../engine/input/file-range.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { BloomError } from '../errors.ts';
import { isOwnKind } from '../filters/registry.ts';
import { checksumOf } from '../formats/checksum.ts';
import type { Origin } from '../formats/origin.ts';
import { lookAt } from '../io/look.ts';
import { closePositioned, openPositioned, readAt } from '../io/positioned.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** The inputs of a build. */
interface BuiltOf {
  /** The files of records and, if there are any, of protected keys. */
  readonly files: readonly string[];
  /** Keys of the command line. */
  readonly keys: readonly string[] | undefined;
  readonly selection: KeySelection;
  readonly slice: InputSlice | undefined;
  readonly isPart: boolean;
}

/**
 * The origin of a slice or a part. Undefined for other filters, and for inputs without a size. A growing filter has no origin: its slices
 * use the same bytes of the header. Each part has its own files of digests.
 */
export function originOf(
  kernel: Kernel,
  { kind, rules: { keyHash } }: Design,
  { files, keys, selection, slice, isPart }: BuiltOf,
): Origin | undefined {
  if (!isOwnKind(kind) || kind.capacity !== undefined) return undefined;
  if (isPart ? selection.areDigests : slice === undefined) return undefined;
  const sizes = files.map(sizeOf);
  if (sizes.includes(undefined)) return undefined;
  // Machines may have the same files in different folders, and other files of the same names and sizes.
  const named = files.map((file, i) => [basename(file), sizes[i], String(checksumOf(kernel, endsOf(file)))]);
  const text = JSON.stringify([named, keys ?? [], selection, keyHash]);
  const { number = 1, of = 1 } = slice ?? {};
  return { slice: number, slices: of, inputs: checksumOf(kernel, Buffer.from(text)) };
}

function sizeOf(file: string): number | undefined {
  const stat = lookAt(file);
  return stat?.isFile() ? stat.size : undefined;
}

/** Bytes of each end of a file. */
const END_BYTES = 4096;

/** The first and the last bytes of a file. Nothing of a file that cannot be read: the build reports it. */
function endsOf(file: string): Uint8Array {
  try {
    const opened = openPositioned(file, 'records');
    if (opened === undefined) return new Uint8Array(0);
    try {
      const ends = new Uint8Array(2 * END_BYTES);
      readAt(opened, ends.subarray(0, END_BYTES), 0);
      readAt(opened, ends.subarray(END_BYTES), Math.max(0, opened.size - END_BYTES));
      return ends;
    } finally {
      closePositioned(opened);
    }
  } catch (error) {
    if (error instanceof BloomError) return new Uint8Array(0);
    throw error;
  }
}
