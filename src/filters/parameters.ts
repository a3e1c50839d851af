import type { Kernel, ParametersAddress } from '../kernel/kernel.ts';

/** Parameters of a filter for the kernel; a kind omits those that its own functions do not need. */
export interface Parameters {
  /** Segments of the filter. */
  readonly segments?: number;
  /** Units per segment: bits, counters, buckets, or blocks of slots. */
  readonly units: number;
  readonly k?: number;
  /** Numbers that fit in a draft. */
  readonly capacity?: number;
  /** Keys per segment, at most. */
  readonly limit?: number;
  /** Bytes per segment, for kinds that keep a tally after it. */
  readonly bytes?: number;
  /** Lower bits of a key that its fingerprint also depends on, as a mask. */
  readonly lower?: number;
  /** Bytes that are kept of a key. */
  readonly width?: number;
}

/** Memory of a kernel for work on segments. */
export interface Scratch {
  /** Address of `CALL_BYTES` bytes: for parameters, results and notes of the kernel's functions. */
  readonly call: number;
  /** Address of the scratch for drafts. */
  readonly drafts: number;
}

export const PARAMETERS_BYTES = 128;
const FOUND_WORDS = 16;
const FOUND_BYTES = 4 * FOUND_WORDS;

/** Digests that are tested together. */
const GROUP = 256;
export const CALL_BYTES = PARAMETERS_BYTES + FOUND_BYTES + GROUP;

/** Writes parameters, in the order of src/kernel/assembly/parameters.ts, and returns their address. */
export function writeParameters(kernel: Kernel, scratch: Scratch, parameters: Parameters): ParametersAddress {
  const { segments = 0, units, k = 0, capacity = 0, limit = 0, bytes = 0, lower = 0, width = 0 } = parameters;
  const values = [segments, units, k, capacity, limit, scratch.drafts, bytes, lower, width];
  new BigUint64Array(kernel.memory.buffer, scratch.call, values.length).set(values.map(BigInt));
  return scratch.call as ParametersAddress;
}

/** Where the kernel's functions write a result of more than one number. */
export function foundScratch(kernel: Kernel, scratch: Scratch): { address: number; values: Uint32Array } {
  const address = scratch.call + PARAMETERS_BYTES;
  return { address, values: new Uint32Array(kernel.memory.buffer, address, FOUND_WORDS) };
}

/** Address of one byte for each of the digests that are tested together. */
export function groupScratch(scratch: Scratch): number {
  return scratch.call + PARAMETERS_BYTES + FOUND_BYTES;
}
