import { BloomError } from '../../errors.ts';
import type { Fill } from '../../filters/kind.ts';
import { isOwnKind } from '../../filters/registry.ts';
import type { Description } from '../../formats/description.ts';
import { because } from '../../formats/fixed.ts';
import type { BitArrayFile, FilterFile, SegmentedFile } from '../../formats/format.ts';
import type { Output } from '../../io/atomic-file.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ProgressObserver } from '../input/progress.ts';
import { type Judge, type MergedFilter, mergeArrays } from './merge-arrays.ts';
import { mergeSegments } from './merge-segments.ts';

/**
 * Writes the union or concatenation of open filters, which fit together. `union` is its description as far as it is known before. Without
 * an output, all inputs are still read and verified. If `judge` throws, nothing is written. Throws a `format` error for files that
 * cannot be merged.
 */
export async function mergeFilters(
  kernel: Kernel,
  files: readonly FilterFile[],
  union: Description,
  output: Output | undefined,
  observer: ProgressObserver,
  judge: Judge,
): Promise<MergedFilter> {
  const { kind } = union;
  if (isOwnKind(kind)) {
    const judgeFill = (fill: readonly Fill[]) => judge({ description: union, fill });
    const fill = await mergeSegments(kernel, files.flatMap(segmented), { ...union, kind }, output, observer, judgeFill);
    return { description: union, fill };
  }
  const mergeable = files.map((file) => ({ file, arrays: arraysIn(file) }));
  const fixed = mergeable.find((one) => one.arrays?.merging === undefined);
  const [first, ...others] = mergeable.flatMap((one) => one.arrays ?? []);
  if (first?.merging === undefined || fixed !== undefined) {
    const { name = 'it' } = fixed?.file ?? {};
    throw new BloomError(
      'format',
      `${name} is a filter of ${union.format.system} that cannot be merged${because(fixed?.arrays ?? {})}`,
      'build a filter of all keys with bloom build',
    );
  }
  return mergeArrays(kernel, [first, ...others], first.merging.unionWith(others), output, observer, judge);
}

/** The file if it has segments; otherwise an empty list. */
export function segmented(file: FilterFile): SegmentedFile[] {
  return file.layout === 'segments' ? [file] : [];
}

function arraysIn(file: FilterFile): BitArrayFile | undefined {
  return file.layout === 'arrays' ? file : undefined;
}
