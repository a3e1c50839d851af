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
 * Writes the union or concatenation of open filters, which fit together. `union` is its description as far as it is known before. Without
 * an output, everything is read and verified all the same. Throws a `format` error for files that cannot be merged.
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

/** The file if it has segments; otherwise an empty list. */
export function segmented(file: FilterFile): SegmentedFile[] {
  return file.layout === 'segments' ? [file] : [];
}

function flat(file: FilterFile): FlatFile | undefined {
  return file.layout === 'flat' ? file : undefined;
}
