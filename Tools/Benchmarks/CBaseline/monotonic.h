/// The clock of the measurements. The file that includes it first defines `_POSIX_C_SOURCE`, as plain C11 lacks the clock.

#ifndef BASELINE_MONOTONIC_H
#define BASELINE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
