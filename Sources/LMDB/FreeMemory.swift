#if canImport(Glibc)
import CLMDB
#endif

/// Returns memory that the allocator keeps for later to the system.
///
/// Called after work that needs much memory for a short time and is seldom repeated. The allocator of glibc returns only
/// the end of a heap by itself (malloc_trim(3)): 110 MiB of free memory stayed after a snapshot of 1,000,000 objects.
/// Other allocators return free memory without a call.
package func returnFreeMemory() {
  #if canImport(Glibc)
  malloc_trim(0)
  #endif
}
