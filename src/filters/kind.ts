import type { Kernel } from '../kernel/kernel.ts';
import type { Estimate } from '../sizing/cardinality.ts';
import type { Chain } from '../sizing/chain.ts';
import type { Geometry } from '../sizing/geometry.ts';
import type { SharedGeometry } from '../sizing/share.ts';
import type { Constraints, Plan } from '../sizing/solve.ts';
import type { Steps } from '../sizing/steps.ts';
import type { Scratch } from './parameters.ts';

/** An array of bits, whose size has nothing to do with that of others. */
export interface Link {
  readonly bits: number;
  readonly k: number;
}

/** A part of an array of bits, which is a filter of its own. */
export interface RangedPart {
  /** The first of its bits, at the beginning of a byte. */
  readonly first: number;
  /** m: whole bytes but for those that no key has. */
  readonly bits: number;
  readonly k: number;
  /** Bits among which a key has all of its positions, a power of 2; without it these are anywhere in the part. */
  readonly lineBits?: number | undefined;
  /** The positions of a key are steps of one length. */
  readonly steps?: Steps | undefined;
}

/** What fixes the bits of a filter, or of a part of one, besides its keys. */
export interface Shape extends SharedGeometry {
  /** Probes a key, k; of a filter that grows, in its first slice. */
  readonly k: number;
  /** The slices of a filter that grows. */
  readonly chain?: Chain | undefined;
  /** The arrays of a filter of several that have nothing in common. */
  readonly links?: readonly Link[];
  /** The parts of a filter of which each has the keys of a range for itself. */
  readonly parts?: readonly RangedPart[];
}

/** How full a segment is: a record whose fields only its kind knows. */
export type Fill = object;

/**
 * What can be done with a segment at an address of a kernel's memory, and with digests that belong to it. Where a kind
 * makes drafts, a segment is changed by way of its draft: what is said to have no room is then only known for certain
 * when that is sealed.
 */
export interface SegmentWork<F extends Fill = Fill> {
  /** Adds `count` digests at an address, in any order; returns the number of those for which there was no room. */
  add(segment: number, digests: number, count: number): number;
  /** Tests them: a byte each, 1 for maybe present, at `hits`; returns the number of ones. */
  test(segment: number, digests: number, count: number, hits: number): number;
  /**
   * Whether a filter whose segments lie one behind the other, the first at `segments`, may have a key: 1 or 0. The key is bytes at an
   * address and is hashed by XXH64 in the same call, with a seed in halves. For kinds of which one key is asked at a time, and soon.
   */
  hasKey?(segments: number, key: number, length: number, seedLow: number, seedHigh: number): number;
  /**
   * Adds those whose byte at `known` is 0, one after the other, and writes 1 there for each that was in it by then; returns how
   * many were looked at: all, or those before one for which there is no room. For kinds that keys can be added to; never to a draft.
   */
  addNew?(segment: number, digests: number, count: number, known: number): number;
  /** Removes those that are not absent, one after the other, and returns their number. Only some kinds can. */
  remove?(segment: number, digests: number, count: number): number;
  /**
   * Takes in a segment, at another address, of a filter of the same shape, or of one that this is larger than; returns as `add`
   * does.
   */
  unite?(segment: number, from: number, of: Shape): number;
  /** Turns a draft into the segment, at the same address; returns as `add` does. */
  seal?(draft: number): number;
  /** How full it is, by its bytes. */
  fill(segment: number): F;
  /** For kinds that count what they add. */
  readonly tally?: SegmentTally<F>;
}

/** What is kept, behind a segment, of how full it is, while it is changed: so not all of it has to be looked at. */
export interface SegmentTally<F extends Fill = Fill> {
  /** Begins to count in a segment that is empty. */
  begin(segment: number): void;
  /** How full it is; undefined for a segment that did not begin empty, or that something was done to that is not counted. */
  read(segment: number): F | undefined;
}

/** Something that is known of a filter from its fill, and that only filters of its kind have. */
export interface Detail {
  /** Its name in JSON, in camel case. */
  readonly name: string;
  /** What it is called in a report. */
  readonly label: string;
  /** A count, or shares. */
  readonly value: number | readonly number[];
}

/** What can be done with those slices of a filter that lie in one memory, and with digests, by their number. */
export interface SliceWork {
  /**
   * Tests those of `count` digests whose byte at `hits` is 0 against slices `from` to `to`: writes 1 for each that may be
   * in one of them, and returns their number.
   */
  test(from: number, to: number, digests: number, count: number, hits: number): number;
  /**
   * Adds digests that are not `known`, a byte each at an address, and not in the slice, until `room` are added; those that were
   * in it are known then. Returns how many were looked at and how many added.
   */
  addNew(slice: number, digests: number, count: number, known: number, room: number): { taken: number; added: number };
}

/** How a kind of filter grows. */
export interface Growing<F extends Fill = Fill> {
  /** Bits of the first slice where nobody knows how many keys there will be. */
  readonly firstBits: number;
  /** The chain of a filter whose first slice follows a plan, in so many segments. */
  chain(plan: Plan, segments: number, constraints: Constraints): Chain;
  /** Distinct keys in the last slice. */
  inLast(fill: readonly F[], shape: Shape): Estimate;
  /** Slice by slice, the rate at which a stranger meets ones alone in each of its segments. */
  segmentRates(fill: readonly F[], shape: Shape): number[][];
  /**
   * The work on slices whose first segments are, or would be, at these addresses modulo 2^32, in a memory where `call` is
   * the address of room for `sliceBytes` of the shape.
   */
  attach(kernel: Kernel, shape: Shape, addresses: readonly number[], call: number): SliceWork;
}

/** How a filter is brought into a larger one. */
export interface Enlarging {
  /** Keys, repetitions included, that a filter of this shape has room for. */
  capacity(shape: Shape): number;
  /** The shape of about twice the room in which keys are found as they are in this one; undefined if there is none. */
  larger(shape: Shape): Shape | undefined;
}

/** What can be done with a filter that was built: add keys, remove them, merge it with another bit by bit or one behind the other. */
export type Ability = 'add' | 'remove' | 'unite' | 'concatenate';

/** What a kind says of its drafts, which are lists of numbers, one a key. */
export interface Drafts {
  /** Numbers that a draft has room for. */
  capacity(shape: Shape): number;
  /** Bytes that it keeps of each. */
  width(shape: Shape): number;
  /** Bytes of scratch that it takes to make the segment of a list in order. */
  sealBytes(shape: Shape): number;
}

/** How a filter keeps keys, whatever system made it: what its fill says of its keys and its errors. */
export interface Structure<F extends Fill = Fill> {
  readonly name: string;
  /** What a filter is full of: bits, counters, slots. */
  readonly places: string;
  /** It gets full, and then refuses keys, instead of answering ever worse. */
  readonly refuses: boolean;
  /** It says in which of many rows a key may be: that it may be in some is of little use to know. */
  readonly findsRows?: true;
  readonly abilities: readonly Ability[];
  /** The keys to size a filter for that gets so many, so many of them distinct. */
  itemsToPlan(distinct: number, keys: number): number;
  /** Keys that all slices of a filter take, where filters grow. */
  readonly capacity?: (shape: Shape) => number;
  /** The shape of filters with equal segments that are put one behind the other. Throws a `mismatch` error for too many slices. */
  readonly concatenated?: (shapes: readonly Shape[]) => Shape;
  /** For filters that can be brought into a larger one, at a higher rate. */
  readonly enlarging?: Enlarging;
  /** Solves for what the constraints leave open; see `solve`. Undefined where nobody sizes a filter so. */
  readonly plan?: (constraints: Constraints) => Plan | undefined;
  /** The expected rate once n distinct keys are in; undefined where it does not follow from the shape. */
  readonly predictedRate?: ((items: number, shape: Shape) => number) | undefined;
  /** The share of the places of a filter that are taken, its parts being this full. */
  fillRatio(fill: readonly F[], shape: Shape): number;
  /** What else there is to say of it. */
  details(fill: readonly F[], shape: Shape): readonly Detail[];
  /** The rate of a filter whose parts are this full. */
  rateFromFill(fill: readonly F[], shape: Shape): number;
  /** Distinct keys in a filter whose parts are this full. */
  itemsFromFill(fill: readonly F[], shape: Shape): Estimate;
}

/** One whose rate with so many keys follows from its shape. */
export interface PredictedStructure<F extends Fill = Fill> extends Structure<F> {
  readonly predictedRate: (items: number, shape: Shape) => number;
}

/** A kind of filter that bloom makes, in segments. Everything else in the program works on this interface and knows no kind by name. */
export interface FilterKind<F extends Fill = Fill> extends PredictedStructure<F> {
  /** Stands in files; never changes. */
  readonly id: number;
  /** When to choose it, in a few words. */
  readonly purpose: string;
  readonly plan: (constraints: Constraints) => Plan | undefined;
  /** The segments for a number of bits, of so many each at most if the kind `dividesFinely`. */
  geometry(bits: number, k: number, segmentBits?: number): Geometry;
  /** Its segments may be small: none gets full because it has more keys than others by chance. */
  readonly dividesFinely?: true;
  /** Whether a filter of this kind can have such a shape; what a header says of every kind holds already. */
  isShape(shape: Shape): boolean;
  /** Whether the bytes of a segment can be some of this kind, as far as it is asked on their word; all can without it. */
  isSegment?(segment: Uint8Array): boolean;
  /** For kinds that grow. */
  readonly growing?: Growing<F>;
  /** For kinds whose segments are made as a whole. */
  readonly drafts?: Drafts;
  /** Bytes of a tally, whole cache lines, for kinds that keep one. */
  readonly tallyBytes?: number;
  /** The work on segments of this shape, which has its scratch in the memory of the kernel. */
  attach(kernel: Kernel, shape: Shape, scratch: Scratch): SegmentWork<F>;
  /** How full a segment is as the table of a file has it: a whole number below 2^53. */
  packFill(fill: F): number;
  unpackFill(packed: number): F;
}

/** What the parts of something come to. */
export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
