// What the entries of a kind are told of the filter that they work on. It is written once, by src/filters/parameters.ts,
// and every call is given its address.

/** Numbers of 64 bits in this order; what a kind does not need is 0. */
@unmanaged
export class Parameters {
  /** Segments of the filter. */
  segments: u64;
  /** Places of a segment: bits, counters, buckets, or blocks of slots. */
  places: u64;
  /** Probes of a key, or bits that are kept of it. */
  k: u64;
  /** Numbers that a draft has room for. */
  capacity: u64;
  /** Keys that a segment is made of at most. */
  limit: u64;
  /** Address of room for work on drafts. */
  scratch: u64;
  /** Bytes of a segment, for kinds that keep something behind it. */
  bytes: u64;
  /** Lower bits of a key that its fingerprint depends on too, as a mask. */
  lower: u64;
}
