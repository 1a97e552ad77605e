#include "CBaseline.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

int64_t baseline_allocated_bytes(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 figures = mallinfo2();
  return (int64_t)(figures.uordblks + figures.hblkhd);
#else
  return -1;
#endif
}
