import { estimateFromCouponRegisters, estimateFromCoupons } from '../sizing/cardinality.ts';
import { type Overlap, overlapOf } from '../sizing/overlap.ts';
import { covariancesOfRegisters } from '../sizing/shared-registers.ts';
import { type Sketch, sketchUnion } from './sketch.ts';

/** How the keys of two sketches overlap. */
export function overlapOfSketches(a: Sketch, b: Sketch): Overlap {
  if (a.coupons !== undefined && b.coupons !== undefined) return overlapOfCoupons(a.coupons, b.coupons);
  const logRegisters = Math.min(a.logRegisters, b.logRegisters);
  return overlapOfRegisters(registersOf(a, logRegisters), registersOf(b, logRegisters));
}

/** Different keys with equal coupons are the only source of error. Those of one set are also in the union. */
function overlapOfCoupons(ofA: Uint32Array, ofB: Uint32Array): Overlap {
  const [a, b] = [estimateFromCoupons(ofA.length), estimateFromCoupons(ofB.length)];
  const union = estimateFromCoupons(new Set([...ofA, ...ofB]).size);
  const [varianceA, varianceB] = [a.error ** 2, b.error ** 2];
  return overlapOf({ a: a.count, b: b.count, union: union.count }, () => ({
    ...{ a: varianceA, b: varianceB, union: union.error ** 2 },
    ...{ ab: 0, aUnion: varianceA, bUnion: varianceB },
  }));
}

function registersOf(sketch: Sketch, logRegisters: number): Uint8Array {
  const { registers } = sketchUnion(sketch, { logRegisters, registers: new Uint8Array(2 ** logRegisters) });
  if (registers === undefined) throw new Error('the union of registers has registers');
  return registers;
}

function overlapOfRegisters(ofA: Uint8Array, ofB: Uint8Array): Overlap {
  const ofUnion = ofA.map((rank, i) => Math.max(rank, ofB[i] ?? 0));
  const [a = 0, b = 0, union = 0] = [ofA, ofB, ofUnion].map((ranks) => estimateFromCouponRegisters(ranks).count);
  return overlapOf({ a, b, union }, covariancesOfRegisters(ofA.length));
}
