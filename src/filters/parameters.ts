import type { Kernel, ParametersAddress } from '../kernel/kernel.ts';

/** What the kernel's entries are told of a filter; a kind leaves out what its own do not need. */
export interface Parameters {
  /** Segments of the filter. */
  readonly segments?: number;
  /** Places of a segment: bits, counters, buckets, or blocks of slots. */
  readonly places: number;
  readonly k?: number;
  /** Numbers that a draft has room for. */
  readonly capacity?: number;
  /** Keys that a segment is made of at most. */
  readonly limit?: number;
  /** Bytes of a segment, for kinds that keep something behind it. */
  readonly bytes?: number;
  /** Lower bits of a key that its fingerprint depends on too, as a mask. */
  readonly lower?: number;
}

/** Where, in the memory of a kernel, work on segments has room of its own. */
export interface Scratch {
  /** Address of `CALL_BYTES`: for what entries are told, for what they find, and for what they note. */
  readonly call: number;
  /** Address of room for work on drafts. */
  readonly drafts: number;
}

const PARAMETERS_BYTES = 64;
const FOUND_WORDS = 16;
const FOUND_BYTES = 4 * FOUND_WORDS;

/** Digests that are tested together. */
const GROUP = 256;
export const CALL_BYTES = PARAMETERS_BYTES + FOUND_BYTES + GROUP;

/** Writes parameters, in the order of src/kernel/assembly/parameters.ts, and returns their address. */
export function writeParameters(kernel: Kernel, scratch: Scratch, parameters: Parameters): ParametersAddress {
  const { segments = 0, places, k = 0, capacity = 0, limit = 0, bytes = 0, lower = 0 } = parameters;
  const values = [segments, places, k, capacity, limit, scratch.drafts, bytes, lower];
  new BigUint64Array(kernel.memory.buffer, scratch.call, values.length).set(values.map(BigInt));
  return scratch.call as ParametersAddress;
}

/** Where entries write what they find when that is more than one number. */
export function roomForFound(kernel: Kernel, scratch: Scratch): { address: number; values: Uint32Array } {
  const address = scratch.call + PARAMETERS_BYTES;
  return { address, values: new Uint32Array(kernel.memory.buffer, address, FOUND_WORDS) };
}

/** Address of room for a byte for each of the digests that are tested together. */
export function roomForGroup(scratch: Scratch): number {
  return scratch.call + PARAMETERS_BYTES + FOUND_BYTES;
}
