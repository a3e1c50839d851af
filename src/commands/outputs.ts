import type { Segments } from '../engine/filter/segments.ts';
import { createMeter } from '../engine/input/input.ts';
import { BloomError, printable } from '../errors.ts';
import type { Fill, FilterKind } from '../filters/kind.ts';
import type { Header } from '../formats/bloomery/header.ts';
import { type SegmentSupply, writeFilter } from '../formats/bloomery/writer.ts';
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
  header: Header,
  supply: SegmentSupply,
): Promise<void> {
  if (output.name !== '-') watch.begin('writing');
  await writeFilter(output, kernel, header, supply, createMeter(payloadBytes(header), watch)).finally(watch.finish);
}

/** Supplies the segments of a filter in memory. `fill` says how full they are. */
export function suppliedBy(kind: FilterKind, segments: Segments, fill: readonly Fill[]): SegmentSupply {
  const packed = fill.map((of) => kind.packFill(of));
  return (index) => ({ ...segments.find(index), fill: packed[index] ?? 0 });
}
