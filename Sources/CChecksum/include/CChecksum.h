#ifndef DAYBOOK_CHECKSUM_H
#define DAYBOOK_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Continues a CRC-32C (Castagnoli, as in RFC 3720) over further bytes.
///
/// The value passed in and the one returned are not inverted: a whole checksum begins with 0xFFFFFFFF and is inverted at
/// its end.
uint32_t daybook_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same without the processor's instruction; for tests.
uint32_t daybook_crc32c_portable(uint32_t crc, const void *bytes, size_t count);

/// Asks the processor to load the memory at an address that will be read soon; any address is allowed.
static inline void daybook_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
