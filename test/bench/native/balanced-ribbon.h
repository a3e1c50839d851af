// The balanced ribbon filter, 32 wide, as in FastFilter. The slots are divided into parts. The keys of a part form eight groups of
// falling size, which are added one after the other. If a group would leave its part without a solution, it moves to parts further on.
// A bit of the filter notes this.

#pragma once

#include <algorithm>
#include <vector>

#include "ribbon.h"

class BalancedRibbon {
 public:
  explicit BalancedRibbon(size_t capacity)
      : logParts(63 - __builtin_clzll(1.533 * capacity / (WIDTH<Row32> * 16) + 2)),
        slots(slotsFor(capacity, logParts)),
        pages(Solution<Row32>::bytesFor(slots) + (size_t{1} << logParts)) {}

  void add(const uint64_t* batch, size_t count) { hashes.insert(hashes.end(), batch, batch + count); }

  /** Half of the parts come first, then a quarter, then an eighth. Later parts have free slots for groups that moved. */
  void finish() {
    sortByGroup();
    Banding<Row32, false> banding(slots);
    const size_t parts = size_t{1} << logParts;
    std::vector<uint32_t> added(parts);
    const size_t limit = (hashes.size() >> logParts) + 25 + WIDTH<Row32> / 3;
    for (size_t first = 0, level = parts / 2; first < parts; first += level, level = std::max<size_t>(1, level / 2)) {
      // The larger groups of the next parts are added before a group, as its equations reach into these parts.
      for (size_t diagonal = 0; diagonal < level + GROUPS - 1; diagonal++) {
        const size_t end = std::min<size_t>(GROUPS, diagonal + 1);
        for (size_t group = diagonal < level ? 0 : diagonal - level + 1; group < end; group++) {
          addGroup(banding, first + diagonal - group, group, added, limit);
        }
      }
    }
    Solution<Row32>::solve(banding, pages.as<Row32>());
  }

  size_t countIn(const uint64_t* batch, size_t count) const {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
      const uint64_t hash = spread(batch[i]);
      const bool isMoved = moved()[partOf(hash)] >> groupOf(hash) & 1;
      const uint64_t elsewhere = further(hash);
      found += Solution<Row32>::fits(pages.as<Row32>(), equationOf(isMoved ? elsewhere : hash));
    }
    return found;
  }

 private:
  static constexpr size_t GROUPS = 8;

  /** FastFilter's number, for its width. */
  static size_t slotsFor(size_t capacity, int logParts) {
    const double part = static_cast<double>(capacity >> logParts);
    return Solution<Row32>::slotsFor(capacity + 0.00005 * part * capacity + part / 5);
  }

  /** An eighth of the second half of the parts goes to the first, whose keys can move. */
  static uint64_t spread(uint64_t hash) { return hash & ~(static_cast<uint64_t>((hash & 7) == 7) << 63); }

  uint64_t partOf(uint64_t hash) const { return hash >> (64 - logParts); }

  static uint64_t groupOf(uint64_t hash) {
    const uint64_t bits = hash >> 3;
    return 2 * (__builtin_ctzll(bits >> 3 | 1ULL << 60) % 4) + ((bits & 7) < 3);
  }

  /** One more 1 in front, as the parts of the next level have, then their 0; behind that, it is another hash. */
  uint64_t further(uint64_t hash) const {
    const int ones = std::min(logParts, __builtin_clzll(~hash | 1) + 1);
    const uint64_t below = mix(hash) >> (ones < logParts);
    return ~(~below >> ones);
  }

  Equation<Row32> equationOf(uint64_t hash) const {
    const uint64_t other = mix(hash);
    return {scale(hash, slots - 2 * WIDTH<Row32>), static_cast<Row32>(other >> 32) | 1,
            static_cast<uint8_t>(other & ((1 << COLUMNS) - 1))};
  }

  uint8_t* moved() const { return pages.data + Solution<Row32>::bytesFor(slots); }

  void sortByGroup() {
    groups.assign((GROUPS << logParts) + 1, 0);
    const auto placeOf = [&](uint64_t hash) { return GROUPS * partOf(hash) + groupOf(hash); };
    for (uint64_t& hash : hashes) {
      hash = spread(hash);
      groups[placeOf(hash)]++;
    }
    for (size_t i = 0, sum = 0; i < groups.size(); i++) {
      sum += groups[i];
      groups[i] = sum;
    }
    std::vector<uint64_t> sorted(hashes.size());
    for (const uint64_t hash : hashes) sorted[--groups[placeOf(hash)]] = hash;
    hashes.swap(sorted);
  }

  void addGroup(Banding<Row32, false>& banding, size_t part, size_t group, std::vector<uint32_t>& added, size_t limit) {
    const size_t first = groups[GROUPS * part + group], end = groups[GROUPS * part + group + 1];
    if (added[part] + (end - first) <= limit && addAll(banding, first, end)) {
      added[part] += end - first;
      return;
    }
    moved()[part] |= 1 << group;
    for (size_t i = first; i < end; i++) {
      const uint64_t hash = further(hashes[i]);
      if (!banding.add(equationOf(hash))) fail("the ribbon filter", "has no solution");
      added[partOf(hash)]++;
    }
  }

  /** Adds all of them, or none. */
  bool addAll(Banding<Row32, false>& banding, size_t first, size_t end) {
    taken.clear();
    for (size_t i = first; i < end; i++) {
      size_t slot = slots;
      if (!banding.add(equationOf(hashes[i]), &slot)) {
        for (const size_t undone : taken) banding.remove(undone);
        return false;
      }
      if (slot < slots) taken.push_back(slot);
    }
    return true;
  }

  const int logParts;
  const size_t slots;
  std::vector<uint64_t> hashes;
  /** The first key of each group. */
  std::vector<uint32_t> groups;
  std::vector<size_t> taken;

 public:
  Pages pages;
};
