import type { Segments } from '../engine/filter/segments.ts';
import { createMeter } from '../engine/input/input.ts';
import { BloomError, printable } from '../errors.ts';
import type { Fill } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import type { SegmentSupply } from '../formats/format.ts';
import { writeFilter } from '../formats/write.ts';
import type { Output } from '../io/atomic-file.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { payloadBytes } from '../sizing/geometry.ts';
import type { Watch } from './watch.ts';

/** The name of a filter that is written, for messages; '-' is the standard output. */
export function displayOutput(name: string): string {
  return name === '-' ? 'standard output' : printable(name);
}

/** Throws a `usage` error where the filter and its JSON summary would be mixed up. */
export function refuseMixedOutput(name: string, json: boolean): void {
  if (!json || name !== '-') return;
  throw new BloomError(
    'usage',
    'the filter and --json cannot both go to standard output',
    'name a file with -o, or drop --json',
  );
}

/**
 * Writes a filter, and shows how far that is; but not of what goes through a pipe to somebody who may print, and who may be
 * done before we are.
 */
export async function writeWatched(
  watch: Watch,
  output: Output,
  kernel: Kernel,
  description: Description,
  supply: SegmentSupply,
): Promise<void> {
  if (output.name !== '-') watch.begin('writing');
  const onWritten = createMeter(payloadBytes(description.shape), watch);
  await writeFilter(output, kernel, description, supply, onWritten).finally(watch.finish);
}

/** Supplies the segments of a filter in memory. `fill` says how full they are. */
export function suppliedBy(segments: Segments, fill: readonly Fill[]): SegmentSupply {
  return (index) => {
    const found = fill[index];
    if (found === undefined) throw new Error('nobody knows how full a segment is');
    return { ...segments.find(index), fill: found };
  };
}
