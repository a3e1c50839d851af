import type { Kernel } from '../../kernel/kernel.ts';
import { nearestDouble, nearestSingle } from './decimal.ts';
import { VISIT_LIMIT } from './digests.ts';

/** The floating-point numbers that the kernel leaves to us, as they take more than a multiplication. */
export interface LeftFloats {
  /** Address of the u32 indices of their keys, their number first. */
  readonly address: number;
  /** Makes of them what the kernel makes of others: their bytes at 8 `to` each, and their spans; returns how many are no value. */
  encode(spans: number, to: number): number;
}

/** Bytes that the kernel keeps for each key. */
const SLOT = 8;

/** Those of an encoding with these parameters. */
export function createLeftFloats(kernel: Kernel, parameters: readonly bigint[]): LeftFloats {
  const [bytes = 0, isBigEndian, isSingle, hasOneZero] = parameters.map(Number);
  const address = kernel.reserve(4 * (VISIT_LIMIT + 1));
  const nearest = isSingle ? nearestSingle : nearestDouble;
  const write = (into: DataView, at: number, number: number) =>
    bytes === 8 ? into.setFloat64(at, number, !isBigEndian) : into.setFloat32(at, number, !isBigEndian);
  return {
    address,
    encode(spans, to) {
      const memory = new DataView(kernel.memory.buffer);
      let without = 0;
      for (let i = 1; i <= memory.getUint32(address, true); i++) {
        const key = memory.getUint32(address + 4 * i, true);
        const span = spans + 8 * key;
        const text = Buffer.from(kernel.memory.buffer, memory.getUint32(span, true), memory.getUint32(span + 4, true));
        const number = nearest(text.toString('latin1'));
        // What is too large is none of these numbers.
        const isValue = Number.isFinite(number);
        if (isValue) write(memory, to + SLOT * key, hasOneZero && number === 0 ? 0 : number);
        else without++;
        memory.setUint32(span, isValue ? to + SLOT * key : 0, true);
        memory.setUint32(span + 4, isValue ? bytes : 0, true);
      }
      return without;
    },
  };
}
