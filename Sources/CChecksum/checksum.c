#include "CChecksum.h"

#include <string.h>

// One entry for each value of four bits: a table of 64 bytes stays in the cache, and only processors without the
// instruction use it.
static const uint32_t nibbles[16] = {
  0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
  0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
};

uint32_t daybook_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  for (size_t i = 0; i < count; i++) {
    crc ^= next[i];
    crc = (crc >> 4) ^ nibbles[crc & 15];
    crc = (crc >> 4) ^ nibbles[crc & 15];
  }
  return crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2")))
static uint32_t crc32c_sse42(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint64_t wide = crc;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = (uint32_t)wide;
  if (count & 4) {
    uint32_t word;
    memcpy(&word, next, 4);
    crc = __builtin_ia32_crc32si(crc, word);
    next += 4;
  }
  if (count & 2) {
    uint16_t word;
    memcpy(&word, next, 2);
    crc = __builtin_ia32_crc32hi(crc, word);
    next += 2;
  }
  if (count & 1) crc = __builtin_ia32_crc32qi(crc, *next);
  return crc;
}

uint32_t daybook_crc32c(uint32_t crc, const void *bytes, size_t count) {
  return __builtin_cpu_supports("sse4.2") ? crc32c_sse42(crc, bytes, count)
                                          : daybook_crc32c_portable(crc, bytes, count);
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

uint32_t daybook_crc32c(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __crc32cd(crc, word);
  }
  for (; count > 0; count--, next++) crc = __crc32cb(crc, *next);
  return crc;
}

#else

uint32_t daybook_crc32c(uint32_t crc, const void *bytes, size_t count) {
  return daybook_crc32c_portable(crc, bytes, count);
}

#endif
