import { BloomError } from '../../errors.ts';
import type { SegmentWork } from '../../filters/kind.ts';
import { CALL_BYTES } from '../../filters/parameters.ts';
import type { KeyRules } from '../../formats/description.ts';
import { FORMATS } from '../../formats/registry.ts';
import { readSmall } from '../../io/positioned.ts';
import { bears } from '../../io/signature.ts';
import { memorySource } from '../../io/source.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { segmentBytes } from '../../sizing/geometry.ts';
import { VISIT_LIMIT } from '../input/digests.ts';
import { requirePossible } from './shared-segments.ts';

/** A filter of one segment. */
export interface SmallFilter {
  readonly rules: KeyRules;
  /** The indices of the digests that are maybe present. */
  find(digests: Uint8Array): Iterable<number>;
}

/** Reads small filters, one after the other, into the same memory: a filter must not be used after the next one was read. */
export interface SmallFilters {
  /** Undefined for a file that is not whole, or not a small filter of bloomery's own format with one segment. */
  read(name: string): Promise<SmallFilter | undefined>;
}

/** Bytes of a file that is read whole. A larger file is better read in parts. */
const FILE_LIMIT = 64 * 1024;

const DIGEST_BYTES = 8;

/** Bloomery's own format. */
const [OWN] = FORMATS;

export function createSmallFilters(kernel: Kernel): SmallFilters {
  const file = new Uint8Array(FILE_LIMIT);
  const [segment, call] = [kernel.reserve(FILE_LIMIT), kernel.reserve(CALL_BYTES)];
  const [brought, hits] = [kernel.reserve(DIGEST_BYTES * VISIT_LIMIT), kernel.reserve(VISIT_LIMIT)];
  function* find({ test }: SegmentWork, digests: Uint8Array): Generator<number> {
    const step = DIGEST_BYTES * VISIT_LIMIT;
    for (let from = 0; from < digests.length; from += step) {
      const some = digests.subarray(from, from + step);
      kernel.bytes(brought, some.length).set(some);
      const count = some.length / DIGEST_BYTES;
      if (test(segment, brought, count, hits) === 0) continue;
      for (const [i, hit] of kernel.bytes(hits, count).entries()) if (hit !== 0) yield from / DIGEST_BYTES + i;
    }
  }
  return {
    async read(name) {
      try {
        const bytes = readSmall(name, 'filter', file);
        if (bytes === undefined || !OWN.signatures?.some((signature) => bears(bytes, signature))) return undefined;
        const opened = await OWN.open(memorySource(name, bytes), kernel, {});
        if (opened.layout !== 'segments') return undefined;
        const { kind, shape, rules } = opened.description;
        if (shape.segments !== 1 || shape.chain !== undefined || shape.share !== undefined) return undefined;
        await opened.readSegment(kernel, segment);
        await opened.finish(kernel);
        requirePossible(kind, { name, count: 1, segmentBytes: segmentBytes(shape) }, 0, { kernel, address: segment });
        const work = kind.attach(kernel, shape, { call, drafts: 0 });
        return { rules, find: (digests) => find(work, digests) };
      } catch (error) {
        if (error instanceof BloomError) return undefined;
        throw error;
      }
    },
  };
}
