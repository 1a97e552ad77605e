#include <lmdb.h>
#if defined(__GLIBC__)
// For malloc_trim, which Swift's module of the C library does not have.
#include <malloc.h>
#endif
