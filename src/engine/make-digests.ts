import { BloomError } from '../errors.ts';
import { sum } from '../filters/kind.ts';
import { plural } from '../quantities.ts';
import { rangeOfShare } from '../sizing/share.ts';
import type { Found } from './input/scanning.ts';
import { countsOf } from './reading.ts';
import type { DigestsSpec, OpenOutput } from './tasks/task.ts';
import { type Pass, runPass } from './threads/pass.ts';

/** The digests that were written. */
export interface WrittenDigests extends Found {
  /** Digests per output. */
  readonly counts: readonly number[];
}

/** Writes the digests of all inputs, divided among the outputs by bounds. */
export async function writeDigests(
  { spec, ...pass }: Omit<Pass, 'spec'> & { readonly spec: Pick<DigestsSpec, 'selection' | 'rules' | 'numbered'> },
  outputs: readonly OpenOutput[],
  bounds: BigUint64Array,
): Promise<WrittenDigests> {
  const results = await runPass({ ...pass, spec: { ...spec, type: 'digests', outputs, bounds } });
  const counts = outputs.map((_, i) =>
    sum(results.map((result) => (result.type === 'digests' ? (result.counts[i] ?? 0) : 0))),
  );
  return { ...countsOf(results), counts };
}

/**
 * The bounds of the digests of each part of a filter: the smallest high half of the part, and 2^32 at the end. Throws a `usage` error for
 * more parts than segments.
 */
export function boundsOfParts(segments: number, parts: number): BigUint64Array {
  if (parts > segments)
    throw new BloomError(
      'usage',
      `${plural(parts, 'part')} of a filter of ${plural(segments, 'segment')}: each part needs at least one`,
      `state ${plural(segments, 'part')} at most`,
    );
  const bounds = Array.from({ length: parts }, (_, i) => rangeOfShare({ part: i + 1, parts, segments }).first);
  return BigUint64Array.from([...bounds, segments], (segment) => leastHalf(BigInt(segment), BigInt(segments)));
}

/** The smallest high half of a digest in a segment: ceil(2^32 segment / segments). */
function leastHalf(segment: bigint, segments: bigint): bigint {
  return ((segment << 32n) + segments - 1n) / segments;
}
