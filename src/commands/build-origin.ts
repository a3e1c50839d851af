import { basename } from 'node:path';
import type { Design } from '../engine/design.ts';
import type { InputSlice } from '../engine/input/file-range.ts';
import type { KeySelection } from '../engine/input/key-selection.ts';
import { isOwnKind } from '../filters/registry.ts';
import { checksumOf } from '../formats/checksum.ts';
import type { Origin } from '../formats/origin.ts';
import { lookAt } from '../io/look.ts';
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
  { kind }: Design,
  { files, keys, selection, slice, isPart }: BuiltOf,
): Origin | undefined {
  if (!isOwnKind(kind) || kind.capacity !== undefined) return undefined;
  if (isPart ? selection.areDigests : slice === undefined) return undefined;
  const sizes = files.map(sizeOf);
  if (sizes.includes(undefined)) return undefined;
  // Machines may have the same files in different folders.
  const named = files.map((file, i) => [basename(file), sizes[i]]);
  const text = JSON.stringify([named, keys ?? [], selection]);
  const { number = 1, of = 1 } = slice ?? {};
  return { slice: number, slices: of, inputs: checksumOf(kernel, Buffer.from(text)) };
}

function sizeOf(file: string): number | undefined {
  const stat = lookAt(file);
  return stat?.isFile() ? stat.size : undefined;
}
