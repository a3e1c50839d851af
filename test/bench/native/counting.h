// The counting Bloom filter (Fan, Cao, Almeida & Broder 2000): counters of four bits in place of the bits. Like FastFilter's, it adds
// one key after the other, and does not notice that a counter is full. With distinct keys no counter ever is.

#pragma once

#include <cmath>

#include "lines.h"
#include "pages.h"

class Counting {
 public:
  explicit Counting(size_t capacity) : counters(std::ceil(COUNTERS_PER_KEY * capacity)), pages(counters / 2 + 8) {}

  void add(const uint64_t* hashes, size_t count) {
    for (size_t i = 0; i < count; i++) {
      uint64_t at = hashes[i];
      const uint64_t step = mix(at) | 1;
      for (int k = 0; k < K; k++, at += step) {
        const uint64_t place = scale(at, counters);
        pages.as<uint64_t>()[place / 16] += 1ULL << place % 16 * 4;
      }
    }
  }

  size_t countIn(const uint64_t* hashes, size_t count) const {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += has(hashes[i]);
    return found;
  }

  void finish() {}

 private:
  static constexpr double COUNTERS_PER_KEY = 9.5851;
  static constexpr int K = 7;

  bool has(uint64_t hash) const {
    uint64_t at = hash;
    const uint64_t step = mix(at) | 1;
    for (int k = 0; k < K; k++, at += step) {
      const uint64_t place = scale(at, counters);
      if ((pages.as<uint64_t>()[place / 16] >> place % 16 * 4 & 15) == 0) return false;
    }
    return true;
  }

  const uint64_t counters;

 public:
  Pages pages;
};
