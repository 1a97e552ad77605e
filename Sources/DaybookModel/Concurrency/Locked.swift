#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that one thread at a time can access.
///
///     private let state = Locked(State())
///     state.withLock { $0.isRaised = true }
///
/// The standard library's `Mutex` would suffice, but on Linux the thread sanitizer does not see when it is locked
/// (Swift 6.3) and reports false races, so it could not be used to find real ones.
///
/// A closure must not lock the same value again: that is a deadlock.
package final class Locked<Value>: @unchecked Sendable {
  /// It is at a fixed address from init to deinit, as POSIX demands.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Protected by ``mutex``, so no access of it overlaps with another one.
  @exclusivity(unchecked) @usableFromInline var value: Value

  package init(_ value: sending Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    precondition(pthread_mutex_init(mutex, nil) == 0, "A mutex could not be made")
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls a closure with exclusive access to the value.
  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

extension Locked where Value == Void {
  /// Calls a closure with exclusive access to the members that the lock protects.
  @inlinable
  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}
