#pragma once

#include <cstdio>
#include <cstdlib>

[[noreturn]] inline void fail(const char* what, const char* why) {
  fprintf(stderr, "%s %s\n", what, why);
  exit(2);
}
