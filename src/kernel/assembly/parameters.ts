// The parameters of a filter for the entries of its kind. src/filters/parameters.ts writes them once, and every call
// gets their address.

/** 64-bit numbers in this order. A parameter that a kind does not use is 0. */
@unmanaged
export class Parameters {
  /** The number of segments of the filter. */
  segments: u64;
  /** The bits, counters, buckets or blocks of slots of a segment. */
  units: u64;
  /** The number of hash functions, or the bits that are kept of a key. */
  k: u64;
  /** The numbers that a draft can hold. */
  capacity: u64;
  /** The most keys from which a segment is made. */
  limit: u64;
  /** The address of scratch memory for work on drafts. */
  scratch: u64;
  /** The bytes of a segment, for kinds that keep data after a segment. */
  bytes: u64;
  /** A mask of low bits of a key on which its fingerprint depends too. */
  lower: u64;
  /** The bytes that are kept of a key. */
  width: u64;
}
