import type { Design } from '../engine/design.ts';
import type { FilterParameters } from '../engine/filter-parameters.ts';
import { BloomError } from '../errors.ts';
import type { FilterKind } from '../filters/kind.ts';
import type { Description } from '../formats/description.ts';
import { plural } from '../quantities.ts';
import { heldShare, partOf, wholeSegments } from '../sizing/share.ts';
import { requireOwnFormat } from './build-design.ts';
import { describePart } from './report/content.ts';

/** Part `number` of `of`, counted from 1. */
export interface PartNumber {
  readonly number: number;
  readonly of: number;
}

/** The design of a part of a filter. Throws a `usage` error if the filter has no such parts. */
export function designOfPart(design: Design, part: PartNumber): Design {
  requireSegments(design, '--part');
  const { size } = design;
  if (size.type === 'counted') {
    const parametersFor = async (items: number) => partOfParameters(await size.parametersFor(items), part);
    return { ...design, size: { ...size, parametersFor } };
  }
  return { ...design, size: { ...size, parameters: partOfParameters(size.parameters, part) } };
}

/** Whether a design of a known size is that of a part. */
export function isPart({ size }: Design): boolean {
  return size.type !== 'counted' && size.parameters.shape.share !== undefined;
}

/** Throws a `usage` error for a filter whose segments are not known before its keys. */
export function requireSegments(design: Design, flag: string): Design<FilterKind> {
  const { kind } = design;
  if (kind.capacity !== undefined)
    throw new BloomError(
      'usage',
      `${flag} needs a filter of a known size, and a ${kind.name} filter grows`,
      'choose another --kind',
    );
  return requireOwnFormat(design, flag);
}

/** The parameters of a part of a filter. Throws a `usage` error for more parts than segments. */
export function partOfParameters(parameters: FilterParameters, { number, of }: PartNumber): FilterParameters {
  const { shape } = parameters;
  requireParts(wholeSegments(shape), of);
  return { ...parameters, shape: partOf(shape, number, of) };
}

/** Throws a `usage` error for more parts than segments. */
export function requireParts(segments: number, parts: number): void {
  if (parts <= segments) return;
  throw new BloomError(
    'usage',
    `a filter of ${plural(segments, 'segment')} cannot be divided into ${parts} parts`,
    segments === 1
      ? 'build the whole filter'
      : `divide it into ${segments} parts at most, or state a smaller --segment-size`,
  );
}

/** A chance that is too small for an accident. */
const IMPOSSIBLE = 1e-9;

/**
 * Throws an `input` error if a part has none of the digests, and they were surely divided for other parts. The chance that n undivided
 * digests all miss a share s of a filter is (1 - s)^n.
 */
export function refuseOtherPart({ shape }: Description, digests: number): void {
  const [part] = describePart(shape);
  if (part === undefined || (1 - heldShare(shape)) ** digests > IMPOSSIBLE) return;
  throw new BloomError(
    'input',
    `nothing was written: none of the ${plural(digests, 'digest')} belongs to ${part}`,
    'give each part its own output of bloom digest --parts, with the same flags of the size',
  );
}
