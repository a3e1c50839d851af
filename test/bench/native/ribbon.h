// Ribbon filters (Dillinger & Walzer 2021): one equation per key, with random coefficients of W neighbouring slots. COLUMNS solutions
// stand side by side, as each accepts every second non-member.

#pragma once

#include "lines.h"
#include "pages.h"

constexpr int COLUMNS = 7;

using Row128 = unsigned __int128;
using Row32 = uint32_t;

inline bool parity(Row32 row) { return __builtin_parity(row); }
inline bool parity(Row128 row) { return __builtin_parityll(static_cast<uint64_t>(row >> 64 ^ row)); }

inline int zerosBelow(Row32 row) { return __builtin_ctz(row); }
inline int zerosBelow(Row128 row) {
  const auto low = static_cast<uint64_t>(row);
  return low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll(static_cast<uint64_t>(row >> 64));
}

template <class Row>
constexpr int WIDTH = 8 * sizeof(Row);

/** The equation of a key. Its first coefficient belongs to the slot `start`, and is 1. */
template <class Row>
struct Equation {
  uint64_t start;
  Row row;
  /** The right side, one bit per column. */
  uint8_t result;
};

/**
 * The equations that were added, so that no two begin with the same slot. If they are homogeneous, their right sides are
 * 0. Of so much memory the system has hardly enough huge pages, and takes long to find out.
 */
template <class Row, bool HOMOGENEOUS>
class Banding {
 public:
  explicit Banding(size_t count)
      : slots(count),
        rowPages(sizeof(Row) * count, PageSize::SMALL),
        resultPages(HOMOGENEOUS ? 0 : count, PageSize::SMALL) {}

  void fetch(uint64_t start) const { __builtin_prefetch(rowAt(start), 1); }

  /** Whether a solution still exists. `taken` is the slot of the equation, if the equation was new. */
  bool add(Equation<Row> equation, size_t* taken = nullptr) {
    auto [at, row, result] = equation;
    while (*rowAt(at) != 0) {
      row ^= *rowAt(at);
      if constexpr (!HOMOGENEOUS) result ^= resultPages.data[at];
      if (row == 0) return result == 0;
      const int zeros = zerosBelow(row);
      at += zeros;
      row >>= zeros;
    }
    *rowAt(at) = row;
    if constexpr (!HOMOGENEOUS) resultPages.data[at] = result;
    if (taken != nullptr) *taken = at;
    return true;
  }

  void remove(size_t slot) { *rowAt(slot) = 0; }

  Row* rowAt(size_t slot) const { return rowPages.template as<Row>() + slot; }

  /** Of a slot without an equation: any, and if they are homogeneous a random one, or all slots might be 0. */
  uint8_t resultAt(size_t slot) const {
    if constexpr (HOMOGENEOUS) return *rowAt(slot) == 0 ? mix(slot) : 0;
    return resultPages.data[slot];
  }

  const size_t slots;

 private:
  Pages rowPages, resultPages;
};

/** The solution: for W slots at a time all first bits, then all second bits, and so on. */
template <class Row>
class Solution {
 public:
  /** Whole blocks. */
  static size_t slotsFor(double slots) { return (static_cast<size_t>(slots) / WIDTH<Row> + 2) * WIDTH<Row>; }

  static size_t bytesFor(size_t slots) { return slots / 8 * COLUMNS; }

  /** From the last slot to the first. */
  template <bool HOMOGENEOUS>
  static void solve(const Banding<Row, HOMOGENEOUS>& banding, Row* blocks) {
    Row state[COLUMNS] = {};
    for (size_t slot = banding.slots; slot-- > 0;) {
      const Row row = *banding.rowAt(slot);
      const unsigned result = banding.resultAt(slot);
      for (int c = 0; c < COLUMNS; c++) {
        state[c] <<= 1;
        state[c] |= (row != 0 && parity(row & state[c])) ^ (result >> c & 1);
      }
      if (slot % WIDTH<Row> == 0) memcpy(blocks + slot / WIDTH<Row> * COLUMNS, state, sizeof state);
    }
  }

  static bool fits(const Row* blocks, const Equation<Row>& equation) {
    const Row* block = blocks + equation.start / WIDTH<Row> * COLUMNS;
    const int offset = equation.start % WIDTH<Row>;
    const Row here = equation.row << offset;
    // In two steps, as C++ does not define a shift by the whole width.
    const Row next = equation.row >> 1 >> (WIDTH<Row> - 1 - offset);
    for (int c = 0; c < COLUMNS; c++) {
      if (parity((block[c] & here) ^ (block[COLUMNS + c] & next)) != (equation.result >> c & 1)) return false;
    }
    return true;
  }
};
