#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A lock with a condition: one thread at a time is inside, and may wait for another.
///
/// The standard library has a mutex but no condition to wait on.
@safe
package final class Monitor: @unchecked Sendable {
  // Both live at a fixed address from init to deinit, as POSIX demands, and are themselves safe for concurrent use.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe precondition(pthread_mutex_init(mutex, nil) == 0, "A mutex could not be made")
    #if canImport(Darwin)
    precondition(pthread_cond_init(condition, nil) == 0, "A condition could not be made")
    #else
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // Deadlines must not move when the system clock is set.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe precondition(pthread_cond_init(condition, &attributes) == 0, "A condition could not be made")
    unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs a closure with exclusive access. The closure must not enter the same monitor again.
  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Leaves the monitor until a thread wakes it.
  ///
  /// Must be called inside the monitor, in a loop that checks the condition.
  package func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Leaves the monitor until a thread wakes it, or until the time is up.
  package func wait(atMost time: Duration) {
    let (seconds, attoseconds) = max(time, .zero).components
    var limit = timespec()
    #if canImport(Darwin)
    limit.tv_sec = Int(seconds)
    limit.tv_nsec = Int(attoseconds / 1_000_000_000)
    pthread_cond_timedwait_relative_np(condition, mutex, &limit)
    #else
    unsafe clock_gettime(CLOCK_MONOTONIC, &limit)
    let nanoseconds = limit.tv_nsec + Int(attoseconds / 1_000_000_000)
    limit.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    limit.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_cond_timedwait(condition, mutex, &limit)
    #endif
  }

  /// Waits inside the monitor until a condition holds or the time is up.
  ///
  /// Returns whether it holds.
  package func wait(atMost time: Duration, until condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + time
    while !condition() {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return false }
      wait(atMost: left)
    }
    return true
  }

  /// Wakes all waiting threads.
  package func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

/// The identity of a thread of this process.
package struct ThreadIdentity: Hashable, Sendable {
  private let bits: UInt

  package static var current: Self {
    #if canImport(Darwin)
    Self(bits: UInt(bitPattern: pthread_self()))
    #else
    Self(bits: UInt(pthread_self()))
    #endif
  }
}
