import type { Segments } from '../engine/segments.ts';
import { BloomError, printable } from '../errors.ts';
import type { SegmentSupply } from '../format/writer.ts';

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

/** Supplies the segments of a filter in memory. `fill` says how full they are. */
export function suppliedBy(segments: Segments, fill: readonly number[]): SegmentSupply {
  return (index) => ({ ...segments.find(index), fill: fill[index] ?? 0 });
}
