// Filters on the lines of a file: native build|count KIND CAPACITY FILTER LINES
//
// `build` adds every line to a new filter for this many keys at 1 % and writes the filter. `count` reads the filter and prints how many
// of the lines it has. One thread.

#include <cinttypes>
#include <string>

#include "balanced-ribbon.h"
#include "bloom.h"
#include "counting.h"
#include "cuckoo.h"
#include "homogeneous-ribbon.h"
#include "split-block.h"

template <class Filter>
void run(const std::string& work, size_t capacity, const char* file, const char* lines) {
  Filter filter(capacity);
  if (work == "build") {
    eachBatch(lines, [&](const uint64_t* hashes, size_t count) { filter.add(hashes, count); });
    filter.finish();
    filter.pages.save(file);
  } else {
    filter.pages.load(file);
    size_t found = 0;
    eachBatch(lines, [&](const uint64_t* hashes, size_t count) { found += filter.countIn(hashes, count); });
    printf("%zu\n", found);
  }
}

int main(int count, char** arguments) {
  if (count != 6) fail("native", "build|count KIND CAPACITY FILTER LINES");
  const std::string kind = arguments[2];
  const auto runKind = kind == "bloom"                ? run<Bloom>
                       : kind == "split-block"        ? run<SplitBlock>
                       : kind == "counting"           ? run<Counting>
                       : kind == "cuckoo"             ? run<Cuckoo>
                       : kind == "homogeneous-ribbon" ? run<HomogeneousRibbon>
                       : kind == "balanced-ribbon"    ? run<BalancedRibbon>
                                                      : nullptr;
  if (runKind == nullptr) fail(arguments[2], "is none of the kinds");
  runKind(arguments[1], strtoull(arguments[3], nullptr, 10), arguments[4], arguments[5]);
}
