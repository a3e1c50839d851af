import { type Digests, VISIT_LIMIT } from '../../src/engine/input/digests.ts';
import { WHOLE_RECORD } from '../../src/engine/input/record-keys.ts';
import { createScanner } from '../../src/engine/input/scanner.ts';
import { NO_LIMIT } from '../../src/engine/input/scanning.ts';
import { columnsOf } from '../../src/engine/store/columns.ts';
import { createSegmentVisits } from '../../src/engine/store/segment-visits.ts';
import { full, type Segments } from '../../src/engine/store/segments.ts';
import { openSegments, type SharedSegments } from '../../src/engine/store/shared-segments.ts';
import type { FilterKind, Shape } from '../../src/filters/kind.ts';
import type { Header, OwnRules } from '../../src/formats/bloomery/header.ts';
import { memorySource } from '../../src/io/source.ts';
import { loadKernel } from '../../src/kernel/kernel.ts';
import { allOf } from '../../src/sizing/share.ts';
import { bitsOf, filterOf } from '../engine/alone.ts';
import { usedKernel } from '../kernel/kernels.ts';

export const RULES: OwnRules = { hash: 'xxh64', seed: 1n, ignoreCase: false, trim: false };

export function linesOf(keys: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(keys.map((key) => `${key}\n`).join('')));
}

/** Keys that differ from those of every other prefix. */
export function keysNamed(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix} ${i}`);
}

/** The digests of lines, computed as for all input. */
export async function digestsOf(lines: Uint8Array, rules = RULES): Promise<BigUint64Array> {
  const kernel = loadKernel();
  const parts: Uint8Array[] = [];
  const keep = ({ address, count }: { address: number; count: number }) =>
    void parts.push(kernel.bytes(address, 8 * count).slice());
  const selection = { nullTerminated: false, keys: WHOLE_RECORD };
  const options = { selection, rules: [rules], recordLimit: NO_LIMIT, keepRecords: false };
  const scanner = createScanner(kernel, options, { keys: keep, lastKeys: keep });
  await scanner.scan(memorySource('lines', lines));
  scanner.endBatch();
  const bytes = new Uint8Array(Buffer.concat(parts));
  return new BigUint64Array(bytes.buffer, 0, bytes.length / 8);
}

/** A Bloom filter in memory. */
export interface Vessel {
  readonly segments: Segments;
  /** Adds digests. Throws a `capacity` error if one does not fit. */
  add(digests: BigUint64Array): void;
  /** Removes digests and returns how many were there. */
  remove(digests: BigUint64Array): number;
  /** Returns how many of the digests are maybe present. */
  count(digests: BigUint64Array): number;
  /** A copy of its bits. */
  payload(): Uint8Array;
}

/** Opens an empty filter, or the given one. Digests are processed as in the program. */
export function openVessel(shape: Shape, filter: SharedSegments = filterOf(shape)): Vessel {
  const kernel = usedKernel();
  const segments = openSegments(filter, kernel, 0);
  const address = kernel.reserve(8 * VISIT_LIMIT);
  const hits = kernel.reserve(VISIT_LIMIT);
  const bringing = (visit: (segment: number, digests: Digests) => void) => {
    const visits = createSegmentVisits(kernel, allOf(columnsOf(filter.payload)), false, visit);
    return (digests: BigUint64Array) => {
      for (let start = 0; start < digests.length; start += VISIT_LIMIT) {
        const batch = digests.subarray(start, start + VISIT_LIMIT);
        new BigUint64Array(kernel.memory.buffer, address, batch.length).set(batch);
        visits.take({ address, count: batch.length, owners: 0, firstOwner: 0 });
      }
      visits.takeLast({ address, count: 0, owners: 0, firstOwner: 0 });
    };
  };
  let answers = 0;
  let removed = 0;
  const remove = bringing((segment, digests) => {
    removed += segments.remove(segment, digests);
  });
  const test = bringing((segment, digests) => {
    const found = segments.test(segment, digests, hits);
    const ones = kernel.bytes(hits, digests.count).reduce((sum, hit) => sum + hit, 0);
    if (found !== ones) throw new Error(`the filter says ${found}, its answers ${ones}`);
    answers += ones;
  });
  return {
    segments,
    add: bringing((segment, digests) => {
      if (segments.add(segment, digests) > 0) throw full();
    }),
    remove(digests) {
      removed = 0;
      remove(digests);
      return removed;
    },
    count(digests) {
      answers = 0;
      test(digests);
      return answers;
    },
    payload: () => bitsOf(segments, shape),
  };
}

/** The fills of segments, as in the table of a file. */
export function packedFills(kind: FilterKind, segments: Segments): number[] {
  return segments.fills().map((fill) => kind.packFill(fill));
}

/** The header of a filter of this shape. */
export function headerOf(shape: Shape, inserted: number, kind = 1): Header {
  return { ...RULES, ...shape, kind, capacity: 4711, targetFpr: 0.01, inserted };
}
