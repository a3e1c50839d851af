// The split block Bloom filter (Putze, Sanders & Singler 2007, as in Parquet). A key has one bit in each of the eight words of one
// block. A block is half a cache line.

#pragma once

#include <cmath>

#include "lines.h"
#include "pages.h"

class SplitBlock {
 public:
  explicit SplitBlock(size_t capacity) : blocks(std::ceil(BITS_PER_KEY * capacity / 256)), pages(32 * blocks) {}

  void add(const uint64_t* hashes, size_t count) {
    fetch(hashes, count);
    for (size_t i = 0; i < count; i++) {
      __m256i* block = blockOf(hashes[i]);
      _mm256_store_si256(block, _mm256_or_si256(_mm256_load_si256(block), maskOf(hashes[i])));
    }
  }

  size_t countIn(const uint64_t* hashes, size_t count) const {
    fetch(hashes, count);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
      found += _mm256_testc_si256(_mm256_load_si256(blockOf(hashes[i])), maskOf(hashes[i]));
    }
    return found;
  }

  void finish() {}

 private:
  /** Gives 1 %. */
  static constexpr double BITS_PER_KEY = 10.53;

  __m256i* blockOf(uint64_t hash) const { return pages.as<__m256i>() + scale(hash, blocks); }

  void fetch(const uint64_t* hashes, size_t count) const {
    for (size_t i = 0; i < count; i++) __builtin_prefetch(blockOf(hashes[i]));
  }

  /** The high five bits of eight products select the bits. */
  static __m256i maskOf(uint64_t hash) {
    const __m256i salts = _mm256_setr_epi32(0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b,
                                            0x9efc4947, 0x5c6bfb31);
    const __m256i products = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<uint32_t>(hash)), salts);
    return _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(products, 27));
  }

  const uint64_t blocks;

 public:
  Pages pages;
};
