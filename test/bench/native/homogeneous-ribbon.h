// The homogeneous ribbon filter, 128 wide. All right sides are 0, so that there always is a solution. Free slots are random, so that
// the solution is not 0 throughout.

#pragma once

#include <vector>

#include "ribbon.h"

class HomogeneousRibbon {
 public:
  explicit HomogeneousRibbon(size_t capacity)
      : slots(Solution<Row128>::slotsFor(OVERHEAD * capacity)), pages(Solution<Row128>::bytesFor(slots)) {}

  void add(const uint64_t* batch, size_t count) { hashes.insert(hashes.end(), batch, batch + count); }

  void finish() {
    Banding<Row128, true> banding(slots);
    for (size_t i = 0; i < hashes.size(); i++) {
      if (i + AHEAD < hashes.size()) banding.fetch(equationOf(hashes[i + AHEAD]).start);
      banding.add(equationOf(hashes[i]));
    }
    Solution<Row128>::solve(banding, pages.as<Row128>());
  }

  size_t countIn(const uint64_t* batch, size_t count) const {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += Solution<Row128>::fits(pages.as<Row128>(), equationOf(batch[i]));
    return found;
  }

 private:
  static constexpr size_t AHEAD = 8;

  /** FastFilter's number, for its width and seven columns. */
  static constexpr double OVERHEAD = 1 + (4 + 0.25 * COLUMNS) / 128;

  Equation<Row128> equationOf(uint64_t hash) const {
    const uint64_t low = mix(hash);
    const uint64_t high = low * 0x9e3779b97f4a7c15;
    return {scale(hash, slots - 2 * WIDTH<Row128>), static_cast<Row128>(high) << 64 | low | 1, 0};
  }

  const size_t slots;
  std::vector<uint64_t> hashes;

 public:
  Pages pages;
};
