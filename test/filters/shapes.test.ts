import { expect, test } from 'vitest';
import { KINDS } from '../../src/filters/registry.ts';

const KS = Array.from({ length: 32 }, (_, i) => i + 1);
const BITS = [1, 64, 513, 1000, 5000, 20_000, 2 ** 22 + 1, 10_000_000];

test.each(KINDS.map((kind) => [kind.name, kind] as const))(
  '%s filters with any small number of bits have a shape of the kind, if they accept a key',
  (_, kind) => {
    const planned = (bits: number, k: number) => {
      try {
        return kind.plan({ items: 1, bits, k });
      } catch {
        return undefined;
      }
    };
    const plans = BITS.flatMap((bits) => KS.flatMap((k) => planned(bits, k) ?? [])).filter(
      ({ predictedFpr }) => predictedFpr < 1,
    );
    expect(plans.length).toBeGreaterThan(3);
    for (const plan of plans) {
      const { bits, k } = plan;
      const geometry = kind.geometry(bits, k);
      expect(geometry.bits).toBeGreaterThanOrEqual(bits);
      const chain = kind.growing?.chain(plan, geometry.segments, {});
      expect(kind.isShape({ ...geometry, k, chain }), `${bits} bits, k = ${k}`).toBe(true);
    }
  },
);
