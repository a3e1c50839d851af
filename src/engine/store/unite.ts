import { BloomError } from '../../errors.ts';
import { isOwnKind } from '../../filters/registry.ts';
import type { Description } from '../../formats/description.ts';
import { because } from '../../formats/fixed.ts';
import type { FilterFile, FlatFile, SegmentedFile } from '../../formats/format.ts';
import type { Output } from '../../io/atomic-file.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ProgressObserver } from '../input/progress.ts';
import { type MergedFilter, uniteArrays } from './unite-arrays.ts';
import { uniteSegments } from './unite-segments.ts';

/**
 * Writes what open filters are together, which was found to fit; `union` is what it will be, as far as is known before. Without an
 * output everything is read and compared all the same. Throws a `format` error for files that cannot be merged.
 */
export async function unite(
  kernel: Kernel,
  files: readonly FilterFile[],
  union: Description,
  output: Output | undefined,
  observer: ProgressObserver,
): Promise<MergedFilter> {
  const { kind } = union;
  if (isOwnKind(kind)) {
    const fill = await uniteSegments(kernel, files.flatMap(segmented), { ...union, kind }, output, observer);
    return { description: union, fill };
  }
  const mergeable = files.map((file) => ({ file, flat: flat(file) }));
  const fixed = mergeable.find((one) => one.flat?.merging === undefined);
  const [first, ...others] = mergeable.flatMap((one) => one.flat ?? []);
  if (first?.merging === undefined || fixed !== undefined) {
    const { name = 'it' } = fixed?.file ?? {};
    throw new BloomError(
      'format',
      `${name} is not one of the filters of ${union.format.system} that can be merged${because(fixed?.flat ?? {})}`,
      'build one of all the keys',
    );
  }
  return uniteArrays(kernel, [first, ...others], first.merging.unionWith(others), output, observer);
}

/** A file of segments; nothing for another. */
export function segmented(file: FilterFile): SegmentedFile[] {
  return file.layout === 'segments' ? [file] : [];
}

function flat(file: FilterFile): FlatFile | undefined {
  return file.layout === 'flat' ? file : undefined;
}
