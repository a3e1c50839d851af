// The cuckoo filter (Fan, Andersen, Kaminsky & Mitzenmacher 2014) with buckets of four fingerprints of 12 bits. It is filled to 94 %,
// one key after the other, like FastFilter's.

#pragma once

#include "lines.h"
#include "pages.h"

class Cuckoo {
 public:
  explicit Cuckoo(size_t capacity) : buckets(capacity / (SLOTS * LOAD) + 1), pages(BUCKET_BYTES * buckets + 8) {}

  void add(const uint64_t* hashes, size_t count) {
    for (size_t i = 0; i < count; i++) insert(scale(hashes[i], buckets), fingerprintOf(hashes[i]));
  }

  size_t countIn(const uint64_t* hashes, size_t count) const {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
      const uint64_t fingerprint = fingerprintOf(hashes[i]);
      const uint64_t bucket = scale(hashes[i], buckets);
      const uint64_t four = fingerprint * LOW;
      found += (zeros(slotsOf(bucket) ^ four) | zeros(slotsOf(other(bucket, fingerprint)) ^ four)) != 0;
    }
    return found;
  }

  void finish() {}

 private:
  static constexpr int SLOTS = 4, BITS = 12, BUCKET_BYTES = 6, MOVES_LIMIT = 500;
  static constexpr double LOAD = 0.94;
  static constexpr uint64_t LOW = 0x001001001001, HIGH = LOW << (BITS - 1), MASK = (1 << BITS) - 1;

  /** Never 0, which marks a free slot. */
  static uint64_t fingerprintOf(uint64_t hash) {
    const uint64_t fingerprint = hash & MASK;
    return fingerprint + (fingerprint == 0);
  }

  /** The other bucket of the other bucket is the first one. */
  uint64_t other(uint64_t bucket, uint64_t fingerprint) const {
    const uint64_t sum = scale(fingerprint * 0x9e3779b97f4a7c15, buckets);
    return sum >= bucket ? sum - bucket : sum + buckets - bucket;
  }

  uint64_t slotsOf(uint64_t bucket) const {
    constexpr uint64_t ALL = (1ULL << SLOTS * BITS) - 1;
    return load<uint64_t>(reinterpret_cast<const char*>(pages.data + BUCKET_BYTES * bucket)) & ALL;
  }

  /** The slots of four that are 0, as their high bits. A 1 after a 0 may be among them, which does no harm. */
  static uint64_t zeros(uint64_t slots) { return (slots - LOW) & ~slots & HIGH; }

  void put(uint64_t bucket, int slot, uint64_t change) {
    uint8_t* at = pages.data + BUCKET_BYTES * bucket;
    const uint64_t slots = load<uint64_t>(reinterpret_cast<const char*>(at)) ^ change << slot * BITS;
    memcpy(at, &slots, sizeof slots);
  }

  bool putFree(uint64_t bucket, uint64_t fingerprint) {
    const uint64_t free = zeros(slotsOf(bucket));
    if (free == 0) return false;
    put(bucket, __builtin_ctzll(free) / BITS, fingerprint);
    return true;
  }

  void insert(uint64_t bucket, uint64_t fingerprint) {
    if (putFree(bucket, fingerprint)) return;
    for (int moves = 0; moves < MOVES_LIMIT; moves++) {
      bucket = other(bucket, fingerprint);
      if (putFree(bucket, fingerprint)) return;
      random = random * 6364136223846793005 + 1442695040888963407;
      const int slot = random >> 62;
      const uint64_t moved = slotsOf(bucket) >> slot * BITS & MASK;
      put(bucket, slot, moved ^ fingerprint);
      fingerprint = moved;
    }
    fail("the cuckoo filter", "is full");
  }

  const uint64_t buckets;
  uint64_t random = 1;

 public:
  Pages pages;
};
