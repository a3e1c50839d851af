// Memory of zeros, and the file of a filter.

#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "fail.h"

enum class PageSize { SMALL, HUGE_WHERE_THERE_ARE };

class Pages {
 public:
  explicit Pages(size_t bytes, PageSize pageSize = PageSize::HUGE_WHERE_THERE_ARE) : size(bytes) {
    constexpr size_t HUGE_PAGE = 2 << 20;
    auto* mapped = static_cast<uint8_t*>(
        mmap(nullptr, bytes + 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (mapped == MAP_FAILED) fail("the filter", "does not fit into the memory");
    data = mapped + (HUGE_PAGE - reinterpret_cast<uintptr_t>(mapped) % HUGE_PAGE);
    if (pageSize != PageSize::SMALL) madvise(data, bytes, MADV_HUGEPAGE);
  }

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }

  void save(const char* file) const {
    const int fd = open(file, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (size_t done = 0; done < size;) {
      const ssize_t written = write(fd, data + done, size - done);
      if (written <= 0) fail(file, "cannot be written");
      done += written;
    }
    close(fd);
  }

  void load(const char* file) {
    const int fd = open(file, O_RDONLY);
    for (size_t done = 0; done < size;) {
      const ssize_t got = read(fd, data + done, size - done);
      if (got <= 0) fail(file, "is not a filter of this kind and capacity");
      done += got;
    }
    close(fd);
  }

  const size_t size;
  uint8_t* data;
};
