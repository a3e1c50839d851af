import type { Kernel, ParametersAddress } from '../kernel/kernel.ts';
import { equalDigestRate, equalDigestRateIn } from '../sizing/equal-digests.ts';
import { isSegmented, segmentBytes, segmented } from '../sizing/geometry.ts';
import { COUNTED_EXACTLY, membersLimit, protectedPlan, screenBits, screenSlots } from '../sizing/protected.ts';
import { ribbonBlocks, WIDE_RIBBON, wideBlocks } from '../sizing/ribbon.ts';
import { wholeSegments } from '../sizing/share.ts';
import { STATIC_K_LIMIT, staticRate } from '../sizing/static.ts';
import { DRAFT_HEAD_BYTES, inLines, listBytes } from './drafts.ts';
import { type Detail, type FilterKind, type ProtectedKeys, type SegmentWork, type Shape, sum } from './kind.ts';
import { PARAMETERS_BYTES, type Parameters, type Scratch, writeParameters } from './parameters.ts';
import { isStaticSegment, type StaticKind, TRIALS_LIMIT } from './static.ts';

/** The fill of a segment: its members, and the protected keys that its screen accepts. */
interface Judged {
  readonly keys: number;
  readonly refuted: number;
}

/** Bytes of a number in the lists of a draft. */
const NUMBER_BYTES = 8;

/** The capacity of a list relative to its keys. The surplus is for copies of keys, which are removed when the list is full. */
const COPIES_FACTOR = 1.25;

/** Protected keys that fit in a draft beside those that it was planned for. */
const LEAST_OTHERS = 1024;

/** The share of the members' limit that members certainly use, so that protected keys cannot use it. */
const CERTAIN_MEMBERS = 0.9;

/** A screen is loaded into the cache if at least one of its bits is looked up for each of so many of its bytes. */
const CACHE_SHARE_BYTES = 128;

/** The number of keys in a packed fill is below this. A segment has fewer bits. */
const PACKED_KEYS = 2 ** 24;

/** The verdicts of a version. */
interface Verdict {
  /** The unknowns of a verdict, in blocks of 64; 0 if it cannot have these bits. */
  blocks(bits: number): number;
  readonly isNarrow: boolean;
}

const WIDE: Verdict = { blocks: (bits) => wideBlocks(bits, 1), isNarrow: false };
const NARROW: Verdict = { blocks: (bits) => ribbonBlocks(bits, 1), isNarrow: true };
const BLOCK_SLOTS = 64;

/**
 * A static kind of filter that never selects the keys of a list.
 *
 * Idea: a segment has a screen, which is a segment of the static kind, and a verdict. The verdict is a ribbon of one column, which tells
 * the members from the protected keys that the screen accepts (the second level of a filter cascade, as in CRLite, Larisch et al. 2017,
 * and in clubcards, Schanck 2025).
 * Invariant: the segment accepts its members, and none of the protected keys.
 * Limits: those of the static kind. The protected keys are needed when the filter is built, and are not stored.
 */
export function protectedKind(own: StaticKind): FilterKind<Judged> {
  const { sizing, sealBytes, entries, mixesKeys } = own;
  const limitOf = (shape: Shape) => membersLimit(sizing, protectedOf(shape).screenBits, verdictBits(shape), shape.k);
  return {
    ...structureOf(own, WIDE),
    drafts: {
      bytes: (shape) => layoutOf(shape, own).bytes,
      capacity: (shape) => Math.max(layoutOf(shape, own).members, layoutOf(shape, own).others),
      sealBytes: (shape) => Math.max(sealBytes(slotsOf(shape, own)), wideSealBytes(verdictSlots(shape))),
    },
    attach(kernel, shape, scratch) {
      const { k } = shape;
      const { exports } = kernel;
      const { members, others, othersAt, screenBytes, screenAt } = layoutOf(shape, own);
      const ofScreen = screenParameters(kernel, shape, part(scratch, 0), own, {
        capacity: members,
        limit: limitOf(shape),
      });
      const writeVerdict = (of: Shape) =>
        verdictParameters(kernel, of, part(scratch, 1), WIDE, {
          capacity: others,
          limit: WIDE_RIBBON.limit(verdictBits(of), 1),
        });
      const ofVerdict = writeVerdict(shape);
      const work = answering(kernel, shape, own, WIDE, ofScreen, ofVerdict);
      return {
        ...work,
        add: (draft, digests, count) => exports.staticAdd(draft, digests, count, ofScreen),
        seal(draft) {
          writeVerdict(fittedTo(shape, exports.staticKeys(draft) + exports.staticKeys(draft + othersAt)));
          const refused = exports.verdictSeal(draft, draft + othersAt, draft + screenBytes, ofVerdict);
          if (refused === 0) kernel.bytes(draft, screenBytes).set(kernel.bytes(draft + screenAt, screenBytes));
          return refused;
        },
        protecting: {
          screen(draft) {
            exports.clear(draft + othersAt, DRAFT_HEAD_BYTES);
            exports.clear(draft + screenAt, screenBytes);
            return k === 1 ? 0 : entries(kernel).seal(draft, draft + screenAt, ofScreen);
          },
          protect(draft, digests, count, hits) {
            // Many keys find the screen faster in the cache, as in a query.
            if (count * k > screenBytes / CACHE_SHARE_BYTES) exports.warm(draft + screenAt, screenBytes);
            if (work.passes(draft + screenAt, digests, count, hits) === 0) return 0;
            return exports.verdictProtect(draft + othersAt, digests, count, hits, ofVerdict);
          },
          clashes: (draft, drops) =>
            exports.verdictClashes(
              draft,
              draft + othersAt,
              draft + screenAt,
              mixesKeys ? TRIALS_LIMIT : 0,
              DROPS[drops],
              ofVerdict,
            ),
          findMembers: (draft, digests, count, hits) =>
            exports.verdictMembers(draft, draft + screenAt, digests, count, hits, ofVerdict),
        },
      };
    },
    fitted: (shape, [fill]) => (fill === undefined ? shape : fittedTo(shape, fill.keys + fill.refuted)),
    predictedRate: (items, shape) => (items > shape.segments * limitOf(shape) ? 1 : rateOf(items, shape)),
  };
}

/** The same as in files of earlier versions, whose verdicts are ribbons with windows of 128. No filter is made so any more. */
export function formerProtectedKind(own: StaticKind): FilterKind<Judged> {
  return {
    ...structureOf(own, NARROW),
    attach(kernel, shape, scratch) {
      const ofScreen = screenParameters(kernel, shape, part(scratch, 0), own);
      const ofVerdict = verdictParameters(kernel, shape, part(scratch, 1), NARROW);
      return { ...answering(kernel, shape, own, NARROW, ofScreen, ofVerdict), add: (_, __, count) => count };
    },
    predictedRate: rateOf,
  };
}

/** What all versions have in common. */
function structureOf(
  own: StaticKind,
  { blocks }: Verdict,
): Omit<FilterKind<Judged>, 'attach' | 'predictedRate' | 'drafts'> {
  const { id, name, purpose, sizing } = own;
  return {
    ...{ id, name, purpose },
    units: 'slots',
    refuses: true,
    itemsToPlan: (distinct) => distinct,
    abilities: [],
    plan: (constraints) => protectedPlan(sizing, constraints),
    geometry: (bits) => segmented(bits),
    protects: ({ items, k }, { segments }, { protectedKeys: keys = 0, isUniverse = false, isCounted = false }) => ({
      ...{ keys, isUniverse, screenBits: screenBits(sizing, items, segments, k) },
      ...(isCounted && segments === 1 && { isFitted: true }),
    }),
    isShape(shape) {
      if (shape.protectedKeys === undefined || shape.k > STATIC_K_LIMIT || !isSegmented(shape)) return false;
      const { screenBits } = shape.protectedKeys;
      const isScreen =
        shape.k === 1
          ? screenBits === 64
          : screenBits % 64 === 0 && screenBits < shape.segmentBits && slotsOf(shape, own) > 0;
      return isScreen && blocks(verdictBits(shape)) > 0;
    },
    isSegment: isStaticSegment,
    packFill: ({ keys, refuted }) => keys + PACKED_KEYS * refuted,
    unpackFill: (packed) => ({ keys: packed % PACKED_KEYS, refuted: Math.floor(packed / PACKED_KEYS) }),
    fillRatio: (fill, shape) =>
      sum(fill.map(({ keys, refuted }) => keys + refuted)) /
      (shape.segments * BLOCK_SLOTS * blocks(verdictBits(shape))),
    details: (_, shape) => detailsOf(protectedOf(shape)),
    rateFromFill: (fill, shape) => staticRate(shape.k) + equalDigestRateIn(shape, sum(fill.map(keysOf))),
    itemsFromFill: (fill) => ({ count: sum(fill.map(keysOf)), error: 0 }),
  };
}

/** The numbers of a draft, which only filters that are being built have. */
type DraftNumbers = Pick<Parameters, 'capacity' | 'limit'>;

function screenParameters(
  kernel: Kernel,
  shape: Shape,
  scratch: Scratch,
  { unitsOf, lower }: StaticKind,
  numbers: DraftNumbers = {},
): ParametersAddress {
  const k = shape.k - 1;
  return writeParameters(kernel, scratch, {
    ...{ segments: wholeSegments(shape), width: NUMBER_BYTES },
    ...{ units: k === 0 ? 0 : unitsOf(protectedOf(shape).screenBits, k), k, lower: lower?.(k) ?? 0 },
    ...numbers,
  });
}

function verdictParameters(
  kernel: Kernel,
  shape: Shape,
  scratch: Scratch,
  { blocks }: Verdict,
  numbers: DraftNumbers = {},
): ParametersAddress {
  const bits = verdictBits(shape);
  return writeParameters(kernel, scratch, {
    ...{ segments: wholeSegments(shape), width: NUMBER_BYTES },
    ...{ units: blocks(bits), k: 1, bytes: bits / 8 },
    ...numbers,
  });
}

/** The work on the segments of a filter that was built. `passes` tests digests in a screen. */
function answering(
  kernel: Kernel,
  shape: Shape,
  own: StaticKind,
  { isNarrow }: Verdict,
  ofScreen: ParametersAddress,
  ofVerdict: ParametersAddress,
): Pick<SegmentWork<Judged>, 'test' | 'fill'> & { readonly passes: SegmentWork['test'] } {
  const { exports } = kernel;
  const screen = own.entries(kernel);
  const screenBytes = protectedOf(shape).screenBits / 8;
  const passes: SegmentWork['test'] = (segment, digests, count, hits) => {
    if (shape.k > 1) return screen.test(segment, digests, count, hits, ofScreen);
    kernel.bytes(hits, count).fill(1);
    return count;
  };
  return {
    passes,
    test(segment, digests, count, hits) {
      if (passes(segment, digests, count, hits) === 0) return 0;
      return exports.verdictTest(segment, segment + screenBytes, digests, count, hits, isNarrow ? 1 : 0, ofVerdict);
    },
    fill: (segment) => ({
      keys: exports.staticKeys(segment) >>> 0,
      refuted: exports.staticKeys(segment + screenBytes) >>> 0,
    }),
  };
}

/** The rate for keys outside the lists. */
function rateOf(items: number, { k }: Shape): number {
  return staticRate(k) + equalDigestRate(items);
}

/** Whether keys that are in both lists stay there, or leave one of them. */
const DROPS = { none: 0, protected: 1, members: 2 } as const;

/** What a report states about the keys for which the answers are exact. */
function detailsOf({ keys, isUniverse }: ProtectedKeys): Detail[] {
  const rate = { label: 'rate of these', value: 0 };
  const isEstimate = keys > COUNTED_EXACTLY;
  return isUniverse
    ? [
        { name: 'universeKeys', label: 'universe', value: keys, isEstimate },
        { ...rate, name: 'universeFpr' },
      ]
    : [
        { name: 'protectedKeys', label: 'protected keys', value: keys, isEstimate },
        { ...rate, name: 'protectedFpr' },
      ];
}

function keysOf({ keys }: Judged): number {
  return keys;
}

/** The protected keys of a shape, which shapes of these kinds have. */
function protectedOf({ protectedKeys }: Shape): ProtectedKeys {
  if (protectedKeys === undefined) throw new Error('the filter has no protected keys');
  return protectedKeys;
}

function verdictBits(shape: Shape): number {
  return shape.segmentBits - protectedOf(shape).screenBits;
}

function verdictSlots(shape: Shape): number {
  return WIDE_RIBBON.slots(verdictBits(shape), 1);
}

function slotsOf(shape: Shape, { sizing }: Pick<StaticKind, 'sizing'>): number {
  return screenSlots(sizing, protectedOf(shape).screenBits, shape.k);
}

/** The shape of a filter whose verdict is as small as this number of its keys allows, if it shall be. */
function fittedTo(shape: Shape, judged: number): Shape {
  const { isFitted, ...protectedKeys } = protectedOf(shape);
  if (!isFitted) return shape;
  const { segments, segmentBits } = segmented(
    Math.min(shape.segmentBits, protectedKeys.screenBits + WIDE_RIBBON.segmentBits(judged, 1)),
  );
  return { ...shape, bits: segments * segmentBits, segmentBits, protectedKeys };
}

/** Bytes of scratch to solve a wide ribbon: per unknown its equation and its right side, and per column the end of the solution. */
export function wideSealBytes(slots: number): number {
  return 33 * slots + 32 * STATIC_K_LIMIT;
}

function part({ call, drafts }: Scratch, number: number): Scratch {
  return { call: call + number * PARAMETERS_BYTES, drafts };
}

/** The positions of the parts of a draft: its list of members, its list of protected keys, and the screen. */
function layoutOf(shape: Shape, { sizing }: Pick<StaticKind, 'sizing'>) {
  const { screenBits: bits } = protectedOf(shape);
  const limit = membersLimit(sizing, bits, verdictBits(shape), shape.k);
  const members = Math.floor(COPIES_FACTOR * limit) + 1;
  // The list may have every member too, until it is known which protected keys are members.
  const judged = verdictSlots(shape) - CERTAIN_MEMBERS * limit;
  const others = LEAST_OTHERS + Math.floor(COPIES_FACTOR * (Math.max(0, judged) + limit));
  const othersAt = inLines(listBytes(members, NUMBER_BYTES));
  const listsEnd = othersAt + inLines(listBytes(others, NUMBER_BYTES));
  // The segment is written over the lists while the screen is still needed.
  const screenAt = Math.max(listsEnd, inLines(segmentBytes(shape)));
  const screenBytes = bits / 8;
  return { members, others, othersAt, screenAt, screenBytes, bytes: screenAt + inLines(screenBytes) };
}
