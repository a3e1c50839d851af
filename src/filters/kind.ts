import type { Kernel } from '../kernel/kernel.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import type { Chain } from '../sizing/chain.ts';
import type { Geometry } from '../sizing/geometry.ts';
import type { SharedGeometry } from '../sizing/share.ts';
import type { Constraints, Plan } from '../sizing/solve.ts';
import type { Steps } from '../sizing/steps.ts';
import type { Occupancy } from '../sizing/zeros.ts';
import type { Scratch } from './parameters.ts';

/** A bit array, whose size is independent of other arrays. */
export interface Link {
  readonly bits: number;
  readonly k: number;
}

/** A part of a bit array that is a filter of its own. */
export interface RangedPart {
  /** The first of its bits, at the start of a byte. */
  readonly first: number;
  /** m: whole bytes, except for bits at the end that no key sets. */
  readonly bits: number;
  readonly k: number;
  /** The size of a line, a power of 2, in which all positions of a key lie. Undefined if positions are anywhere in the part. */
  readonly lineBits?: number | undefined;
  /** The positions of a key are steps of one length. */
  readonly steps?: Steps | undefined;
}

/** The protected keys of a filter, which it never selects. */
export interface ProtectedKeys {
  /** The number of distinct protected keys: exact if they are few, otherwise an estimate. */
  readonly keys: number;
  /** Bits of the screen, with which a segment begins. */
  readonly screenBits: number;
  /** The keys are a universe: all keys that will be looked up, members included. Those that are not members are protected. */
  readonly isUniverse: boolean;
  /** Only while the filter is built: its last section becomes as small as its keys allow. */
  readonly isFitted?: boolean;
}

/** The numbers that fix the bits of a filter, or of a part of it, besides its keys. */
export interface Shape extends SharedGeometry {
  /** The number of hash functions, k; in a filter that grows, of the first slice. */
  readonly k: number;
  /** The slices of a filter that grows. */
  readonly chain?: Chain | undefined;
  /** The arrays of a filter that has several independent ones. */
  readonly links?: readonly Link[];
  /** The parts of a filter, each of which has the keys of one range. */
  readonly parts?: readonly RangedPart[];
  /** The protected keys of a filter that has some. */
  readonly protectedKeys?: ProtectedKeys | undefined;
}

/** The fill of a segment. Only the kind knows its fields. */
export type Fill = object;

/**
 * The work on a segment at an address in the memory of a kernel, and on digests that belong to it. If a kind makes drafts, a segment is
 * changed by way of its draft. The number of refused digests is then certain only after the draft is sealed.
 */
export interface SegmentWork<F extends Fill = Fill> {
  /** Adds `count` digests at an address, in any order. Returns the number of refused digests. */
  add(segment: number, digests: number, count: number): number;
  /** Tests digests. Writes one byte per digest at `hits`, 1 for maybe present; returns the number of ones. */
  test(segment: number, digests: number, count: number, hits: number): number;
  /**
   * Whether a filter may have a key: 1 or 0. Its segments follow each other from `segments` on. The key is given by its bytes, and is
   * hashed with XXH64 in the same call; the seed is given in halves. For kinds that must answer single queries fast.
   */
  hasKey?(segments: number, key: number, length: number, seedLow: number, seedHigh: number): number;
  /**
   * Adds digests whose byte at `known` is 0, one after the other, and writes 1 there for each that was present before. Returns the number
   * of digests that were handled: all digests, or those before the first refused one. For kinds that support `add`; never for a draft.
   */
  addNew?(segment: number, digests: number, count: number, known: number): number;
  /** Removes digests that are maybe present, one after the other, and returns their number. Only some kinds support removal. */
  remove?(segment: number, digests: number, count: number): number;
  /** Merges a segment at another address into this one. It has the same shape, or a smaller one. Returns as `add` does. */
  mergeFrom?(segment: number, from: number, of: Shape): number;
  /** Turns a draft into the segment, at the same address; returns as `add` does. */
  seal?(draft: number): number;
  /** The fill, counted over the bytes. */
  fill(segment: number): F;
  /** For kinds that count what they add. */
  readonly tally?: SegmentTally<F>;
  /** For kinds with protected keys. */
  readonly protecting?: ProtectingWork;
}

/** What happens to a key that is both a member and protected: both are kept, or one of them leaves its list. */
export type Drops = 'none' | 'protected' | 'members';

/** The work on the draft of a segment with protected keys, in this order; `seal` comes last. */
export interface ProtectingWork {
  /** Makes the screen of a draft that has all its members. Returns as `add` does. */
  screen(draft: number): number;
  /** Notes the protected keys that the screen accepts. `hits` has one byte per digest. Returns as `add` does. */
  protect(draft: number, digests: number, count: number, hits: number): number;
  /** Returns the number of keys that are in both lists. They must have left one list before the draft is sealed. */
  clashes(draft: number, drops: Drops): number;
  /** Finds members in their list, exactly. Writes one byte per digest at `hits`; returns the number of ones. */
  findMembers(draft: number, digests: number, count: number, hits: number): number;
}

/** The fill of a segment that changes, stored after its bytes. So the fill need not be counted again. */
export interface SegmentTally<F extends Fill = Fill> {
  /** Starts the tally of an empty segment. */
  begin(segment: number): void;
  /** The fill; undefined if the segment did not begin empty, or had a change that the tally does not count. */
  read(segment: number): F | undefined;
}

/** A value that is derived from the fill, and that only filters of this kind have. */
export interface Detail {
  /** The name in JSON, in camel case. */
  readonly name: string;
  /** The name in a report. */
  readonly label: string;
  /** A count, or shares. */
  readonly value: number | readonly number[];
  /** The count is an estimate. */
  readonly isEstimate?: boolean;
}

/** The work on the slices of a filter that lie in one memory. Slices are given by their numbers. */
export interface SliceWork {
  /**
   * Tests the digests whose byte at `hits` is 0 in slices `from` to `to`. Writes 1 for each that may be in one of these slices, and returns
   * their number.
   */
  test(from: number, to: number, digests: number, count: number, hits: number): number;
  /**
   * Adds digests that are neither `known` (one byte per digest at an address) nor in the slice, until `limit` are added. Digests that were
   * in the slice become known. Returns how many digests were handled, and how many were added.
   */
  addNew(
    slice: number,
    digests: number,
    count: number,
    known: number,
    limit: number,
  ): { handled: number; added: number };
}

/** How a kind of filter grows. */
export interface Growing<F extends Fill = Fill> {
  /** Bits of the first slice if the number of keys is unknown. */
  readonly firstBits: number;
  /** The chain of a filter whose first slice follows a plan, with this number of segments. */
  chain(plan: Plan, segments: number, constraints: Constraints): Chain;
  /** Distinct keys in the last slice. */
  inLast(fill: readonly F[], shape: Shape): Estimate;
  /** Per slice, the rate of a non-member in each segment of the slice. */
  segmentRates(fill: readonly F[], shape: Shape): number[][];
  /**
   * The work on slices. `addresses` are those of the first segments of all slices, modulo 2^32; a slice may lie in another memory. `call`
   * is the address of `sliceBytes` bytes.
   */
  attach(kernel: Kernel, shape: Shape, addresses: readonly number[], call: number): SliceWork;
}

/** How a filter is enlarged. */
export interface Enlarging {
  /** Keys, repetitions included, that fit in a filter of this shape. */
  capacity(shape: Shape): number;
  /** A shape of about twice the capacity in which the keys of this shape are found; undefined if there is none. */
  larger(shape: Shape): Shape | undefined;
}

/** What can be done with a filter after it was built: add keys, remove keys, combine the bits of two filters, or concatenate filters. */
export type Ability = 'add' | 'remove' | 'union' | 'concatenation';

/** The drafts of a kind, which are lists of numbers, one per key. */
export interface Drafts {
  /** Numbers that fit in a list of a draft. */
  capacity(shape: Shape): number;
  /** Bytes of a draft. */
  bytes(shape: Shape): number;
  /** Bytes of scratch to make the segment from a sorted list. */
  sealBytes(shape: Shape): number;
}

/** How a filter of any system stores keys, and what its fill shows about its keys and its errors. */
export interface Structure<F extends Fill = Fill> {
  readonly name: string;
  /** The parts that keys fill: bits, counters or slots. */
  readonly units: string;
  /** It refuses keys when it is full. Other kinds accept further keys at a growing false-positive rate. */
  readonly refuses: boolean;
  /** A query returns the rows that may have a key. An answer for all rows together is of little use. */
  readonly findsRows?: true;
  readonly abilities: readonly Ability[];
  /** The number of keys for which a filter must be sized if it gets `keys` keys, `distinct` of them distinct. */
  itemsToPlan(distinct: number, keys: number): number;
  /** The capacity of all slices together, for kinds that grow. */
  readonly capacity?: (shape: Shape) => number;
  /** The shape of the concatenation of filters with equal segments. Throws a `mismatch` error for too many slices. */
  readonly concatenated?: (shapes: readonly Shape[]) => Shape;
  /** For filters that can be enlarged, at a higher rate. */
  readonly enlarging?: Enlarging;
  /** Solves for the missing values of the constraints (see `solve`). Undefined for a kind that is not sized in this way. */
  readonly plan?: (constraints: Constraints) => Plan | undefined;
  /** The predicted rate with n distinct keys; undefined if it does not follow from the shape. */
  readonly predictedRate?: ((items: number, shape: Shape) => number) | undefined;
  /** The fill ratio of a filter, from the fill of its parts. */
  fillRatio(fill: readonly F[], shape: Shape): number;
  /** Further values to report. */
  details(fill: readonly F[], shape: Shape): readonly Detail[];
  /** The false-positive rate of a filter, from the fill of its parts. */
  rateFromFill(fill: readonly F[], shape: Shape): number;
  /** The distinct keys in a filter, from the fill of its parts. */
  itemsFromFill(fill: readonly F[], shape: Shape): Estimate;
  /** The units of a filter of one array or of segments, whose zeros tell how many keys two filters share. Undefined if nothing tells it. */
  readonly occupancy?: ((shape: Shape) => Occupancy) | undefined;
}

/** A structure whose rate follows from its shape and the number of keys. */
export interface PredictedStructure<F extends Fill = Fill> extends Structure<F> {
  readonly predictedRate: (items: number, shape: Shape) => number;
}

/** A kind of filter that bloom makes, in segments. The rest of the program uses this interface, and knows no kind by name. */
export interface FilterKind<F extends Fill = Fill> extends PredictedStructure<F> {
  /** The id in files; never changes. */
  readonly id: number;
  /** When to choose this kind, in a few words. */
  readonly purpose: string;
  readonly plan: (constraints: Constraints) => Plan | undefined;
  /** The segments for a number of bits. If the kind `dividesFinely`, segments have at most `segmentBits` bits. */
  geometry(bits: number, k: number, segmentBits?: number): Geometry;
  /** Segments may be small: either none becomes full, or their size allows for the chance that some get more keys than others. */
  readonly dividesFinely?: true;
  /** Whether a filter of this kind can have this shape. The rules for headers of all kinds were checked before. */
  isShape(shape: Shape): boolean;
  /** Whether the bytes can be a segment of this kind, as far as work relies on them; without it, all bytes can. */
  isSegment?(segment: Uint8Array): boolean;
  /** For kinds that grow. */
  readonly growing?: Growing<F>;
  /** For kinds whose segments are made as a whole. */
  readonly drafts?: Drafts;
  /** For kinds with protected keys: the data about them in the shape of a planned filter. */
  protects?(plan: Plan, geometry: Geometry, constraints: Constraints): ProtectedKeys;
  /** The shape of a filter in a file, if its bits depend on the keys that it got. */
  fitted?(shape: Shape, fill: readonly F[]): Shape;
  /** The kind of the same name with protected keys. */
  readonly protecting?: FilterKind;
  /** Bytes of a tally, in whole cache lines, for kinds that keep one. */
  readonly tallyBytes?: number;
  /** The work on segments of this shape, with a scratch in the memory of the kernel. */
  attach(kernel: Kernel, shape: Shape, scratch: Scratch): SegmentWork<F>;
  /** The fill of a segment as it is stored in the table of a file: a whole number below 2^53. */
  packFill(fill: F): number;
  unpackFill(packed: number): F;
}

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
