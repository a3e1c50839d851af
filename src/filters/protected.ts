import { equalDigestRate, equalDigestRateIn } from '../sizing/equal-digests.ts';
import { isSegmented, segmentBytes, segmented } from '../sizing/geometry.ts';
import { membersLimit, protectedPlan, screenBits, screenSlots } from '../sizing/protected.ts';
import { ribbonBlocks, VERDICT } from '../sizing/ribbon.ts';
import { wholeSegments } from '../sizing/share.ts';
import { STATIC_K_LIMIT, staticRate } from '../sizing/static.ts';
import { DRAFT_HEAD_BYTES, inLines, listBytes } from './drafts.ts';
import { type Detail, type FilterKind, type ProtectedKeys, type Shape, sum } from './kind.ts';
import { PARAMETERS_BYTES, type Scratch, writeParameters } from './parameters.ts';
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

/** Bytes per unknown while a verdict is solved: its equation, and whether that selects an odd number of ones. */
const ROW_BYTES = 17;

/** The number of keys in a packed fill is below this. A segment has fewer bits. */
const PACKED_KEYS = 2 ** 24;

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
  const { id, name, purpose, sizing, unitsOf, lower, sealBytes, entries, mixesKeys } = own;
  const slots = (shape: Shape) => screenSlots(sizing, protectedOf(shape).screenBits, shape.k);
  return {
    ...{ id, name, purpose },
    units: 'slots',
    refuses: true,
    itemsToPlan: (distinct) => distinct,
    abilities: [],
    plan: (constraints) => protectedPlan(sizing, constraints),
    geometry: (bits) => segmented(bits),
    protects: ({ items, k }, { segments }, { protectedKeys: keys = 0, isUniverse = false }) => ({
      ...{ keys, isUniverse, screenBits: screenBits(sizing, items / segments, k) },
    }),
    isShape(shape) {
      if (shape.protectedKeys === undefined || shape.k > STATIC_K_LIMIT || !isSegmented(shape)) return false;
      const { screenBits } = shape.protectedKeys;
      const isScreen =
        shape.k === 1 ? screenBits === 64 : screenBits % 64 === 0 && screenBits < shape.segmentBits && slots(shape) > 0;
      return isScreen && VERDICT.slots(shape.segmentBits - screenBits, 1) > 0;
    },
    isSegment: isStaticSegment,
    drafts: {
      bytes: (shape) => layoutOf(shape, own).bytes,
      capacity: (shape) => Math.max(layoutOf(shape, own).members, layoutOf(shape, own).others),
      sealBytes: (shape) => Math.max(sealBytes(slots(shape)), ROW_BYTES * VERDICT.slots(verdictBits(shape), 1)),
    },
    attach(kernel, shape, scratch) {
      const { k } = shape;
      const layout = layoutOf(shape, own);
      const { screenBytes, othersAt, screenAt } = layout;
      const { exports } = kernel;
      const screen = entries(kernel);
      const common = { segments: wholeSegments(shape), width: NUMBER_BYTES };
      const bits = protectedOf(shape).screenBits;
      const ofScreen = writeParameters(kernel, part(scratch, 0), {
        ...common,
        ...{ units: k === 1 ? 0 : unitsOf(bits, k - 1), k: k - 1, lower: lower?.(k - 1) ?? 0 },
        ...{ capacity: layout.members, limit: membersLimit(sizing, bits, verdictBits(shape), k) },
      });
      const ofVerdict = writeParameters(kernel, part(scratch, 1), {
        ...common,
        ...{ units: ribbonBlocks(verdictBits(shape), 1), k: 1, bytes: verdictBits(shape) / 8 },
        ...{ capacity: layout.others, limit: VERDICT.limit(verdictBits(shape), 1) },
      });
      const passes = (segment: number, digests: number, count: number, hits: number) => {
        if (k > 1) return screen.test(segment, digests, count, hits, ofScreen);
        kernel.bytes(hits, count).fill(1);
        return count;
      };
      return {
        add: (draft, digests, count) => exports.staticAdd(draft, digests, count, ofScreen),
        seal(draft) {
          const refused = exports.verdictSeal(draft, draft + othersAt, draft + screenBytes, ofVerdict);
          if (refused === 0) kernel.bytes(draft, screenBytes).set(kernel.bytes(draft + screenAt, screenBytes));
          return refused;
        },
        test(segment, digests, count, hits) {
          if (passes(segment, digests, count, hits) === 0) return 0;
          return exports.verdictTest(segment, segment + screenBytes, digests, count, hits, ofVerdict);
        },
        fill: (segment) => ({
          keys: exports.staticKeys(segment) >>> 0,
          refuted: exports.staticKeys(segment + screenBytes) >>> 0,
        }),
        protecting: {
          screen(draft) {
            exports.clear(draft + othersAt, DRAFT_HEAD_BYTES);
            exports.clear(draft + screenAt, screenBytes);
            return k === 1 ? 0 : screen.seal(draft, draft + screenAt, ofScreen);
          },
          protect(draft, digests, count, hits) {
            if (passes(draft + screenAt, digests, count, hits) === 0) return 0;
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
    packFill: ({ keys, refuted }) => keys + PACKED_KEYS * refuted,
    unpackFill: (packed) => ({ keys: packed % PACKED_KEYS, refuted: Math.floor(packed / PACKED_KEYS) }),
    predictedRate: (items, shape) =>
      items > shape.segments * membersLimit(sizing, protectedOf(shape).screenBits, verdictBits(shape), shape.k)
        ? 1
        : staticRate(shape.k) + equalDigestRate(items),
    fillRatio: (fill, shape) =>
      sum(fill.map(({ keys, refuted }) => keys + refuted)) / (shape.segments * VERDICT.slots(verdictBits(shape), 1)),
    details: (_, shape) => detailsOf(protectedOf(shape)),
    rateFromFill: (fill, shape) => staticRate(shape.k) + equalDigestRateIn(shape, sum(fill.map(keysOf))),
    itemsFromFill: (fill) => ({ count: sum(fill.map(keysOf)), error: 0 }),
  };
}

/** Whether keys that are in both lists stay there, or leave one of them. */
const DROPS = { none: 0, protected: 1, members: 2 } as const;

/** More keys are counted in a sketch. */
const COUNTED_EXACTLY = 2 ** 17;

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

function part({ call, drafts }: Scratch, number: number): Scratch {
  return { call: call + number * PARAMETERS_BYTES, drafts };
}

/** The positions of the parts of a draft: its list of members, its list of protected keys, and the screen. */
function layoutOf(shape: Shape, { sizing }: Pick<StaticKind, 'sizing'>) {
  const { screenBits: bits } = protectedOf(shape);
  const limit = membersLimit(sizing, bits, verdictBits(shape), shape.k);
  const members = Math.floor(COPIES_FACTOR * limit) + 1;
  // The list may have every member too, until it is known which protected keys are members.
  const judged = VERDICT.slots(verdictBits(shape), 1) - CERTAIN_MEMBERS * limit;
  const others = LEAST_OTHERS + Math.floor(COPIES_FACTOR * (Math.max(0, judged) + limit));
  const othersAt = inLines(listBytes(members, NUMBER_BYTES));
  const listsEnd = othersAt + inLines(listBytes(others, NUMBER_BYTES));
  // The segment is written over the lists while the screen is still needed.
  const screenAt = Math.max(listsEnd, inLines(segmentBytes(shape)));
  const screenBytes = bits / 8;
  return { members, others, othersAt, screenAt, screenBytes, bytes: screenAt + inLines(screenBytes) };
}
