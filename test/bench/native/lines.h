// The lines of a file as hashes of 64 bits, a batch at a time.

#pragma once

#include <fcntl.h>
#include <immintrin.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fail.h"

/** Lines hashed in advance, so that a filter can fetch the memory of all before it looks at the first. */
constexpr size_t BATCH = 64;

/** The high and low half of a product, folded: every bit of both factors moves about half of its bits. */
inline uint64_t fold(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/** Another hash of a hash. */
inline uint64_t mix(uint64_t hash) { return fold(hash ^ 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93); }

/** A number below a limit, from the high bits of a hash. */
inline uint64_t scale(uint64_t hash, uint64_t limit) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(hash) * limit) >> 64);
}

template <class Word>
inline Word load(const char* from) {
  Word word;
  memcpy(&word, from, sizeof word);
  return word;
}

/** After wyhash: sixteen bytes at a time, of which the last may overlap those before them. */
inline uint64_t hashOf(const char* key, size_t length) {
  constexpr uint64_t FIRST = 0xa0761d6478bd642f, SECOND = 0xe7037ed1a0b428db;
  uint64_t hash = FIRST ^ length, low = 0, high = 0;
  if (length >= 16) {
    size_t done = 0;
    for (; length - done > 16; done += 16) {
      hash = fold(load<uint64_t>(key + done) ^ hash, load<uint64_t>(key + done + 8) ^ SECOND);
    }
    low = load<uint64_t>(key + length - 16);
    high = load<uint64_t>(key + length - 8);
  } else if (length >= 8) {
    low = load<uint64_t>(key);
    high = load<uint64_t>(key + length - 8);
  } else if (length >= 4) {
    low = load<uint32_t>(key);
    high = load<uint32_t>(key + length - 4);
  } else {
    for (size_t i = 0; i < length; i++) low = low << 8 | static_cast<uint8_t>(key[i]);
  }
  return mix(fold(low ^ hash, high ^ SECOND));
}

/** Which of 64 bytes end a line, as bits. */
inline uint64_t lineEnds(const char* bytes) {
  const __m256i end = _mm256_set1_epi8('\n');
  const auto in32 = [&](const char* from) {
    const __m256i found = _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)), end);
    return static_cast<uint32_t>(_mm256_movemask_epi8(found));
  };
  return in32(bytes) | static_cast<uint64_t>(in32(bytes + 32)) << 32;
}

/** Calls a function with the hashes of the lines: visit(hashes, count). */
template <class Visit>
void eachBatch(const char* file, Visit visit) {
  const int fd = open(file, O_RDONLY);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) fail(file, "cannot be read");
  const size_t size = status.st_size;
  const auto* bytes = static_cast<const char*>(mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0));
  if (bytes == MAP_FAILED) fail(file, "cannot be mapped");
  madvise(const_cast<char*>(bytes), size, MADV_SEQUENTIAL);

  uint64_t hashes[BATCH];
  size_t count = 0, start = 0;
  const auto line = [&](size_t end) {
    hashes[count++] = hashOf(bytes + start, end - start);
    start = end + 1;
    if (count == BATCH) {
      visit(hashes, count);
      count = 0;
    }
  };
  size_t at = 0;
  for (; at + 64 <= size; at += 64) {
    for (uint64_t ends = lineEnds(bytes + at); ends != 0; ends &= ends - 1) line(at + __builtin_ctzll(ends));
  }
  for (; at < size; at++) {
    if (bytes[at] == '\n') line(at);
  }
  if (start < size) line(size);
  visit(hashes, count);
}
