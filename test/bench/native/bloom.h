// The Bloom filter: seven bits anywhere in one array, by double hashing, at 1 %.

#pragma once

#include <cmath>

#include "lines.h"
#include "pages.h"

class Bloom {
 public:
  explicit Bloom(size_t capacity) : bits(std::ceil(BITS_PER_KEY * capacity)), pages(bits / 8 + 1) {}

  void add(const uint64_t* hashes, size_t count) {
    for (size_t i = 0; i < count; i++) {
      Probes probes(hashes[i]);
      for (int k = 0; k < K; k++) __builtin_prefetch(pages.data + probes.next(bits) / 8, 1);
    }
    for (size_t i = 0; i < count; i++) {
      Probes probes(hashes[i]);
      for (int k = 0; k < K; k++) {
        const uint64_t position = probes.next(bits);
        pages.data[position / 8] |= 1 << (position % 8);
      }
    }
  }

  /** Tests two bits of every key first: three of four non-members end there, and only the others need the rest. */
  size_t countIn(const uint64_t* hashes, size_t count) const {
    Probes left[BATCH];
    for (size_t i = 0; i < count; i++) {
      Probes probes(hashes[i]);
      for (int k = 0; k < FIRST; k++) __builtin_prefetch(pages.data + probes.next(bits) / 8);
    }
    size_t survivors = 0;
    for (size_t i = 0; i < count; i++) {
      left[survivors] = Probes(hashes[i]);
      survivors += allSet(left[survivors], FIRST);
    }
    for (size_t i = 0; i < survivors; i++) {
      Probes probes = left[i];
      for (int k = FIRST; k < K; k++) __builtin_prefetch(pages.data + probes.next(bits) / 8);
    }
    size_t found = 0;
    for (size_t i = 0; i < survivors; i++) found += allSet(left[i], K - FIRST);
    return found;
  }

  void finish() {}

 private:
  static constexpr double BITS_PER_KEY = 9.5851;
  static constexpr int K = 7, FIRST = 2;

  struct Probes {
    Probes() = default;
    explicit Probes(uint64_t hash) : at(hash), step(mix(hash) | 1) {}
    uint64_t next(uint64_t limit) {
      const uint64_t position = scale(at, limit);
      at += step;
      return position;
    }
    uint64_t at, step;
  };

  /** Without a branch per bit, which would be mispredicted. */
  bool allSet(Probes& probes, int number) const {
    unsigned set = 1;
    for (int k = 0; k < number; k++) {
      const uint64_t position = probes.next(bits);
      set &= pages.data[position / 8] >> (position % 8);
    }
    return set;
  }

  const uint64_t bits;

 public:
  Pages pages;
};
