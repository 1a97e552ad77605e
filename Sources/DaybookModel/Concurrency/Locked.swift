import Foundation

/// A value that one thread at a time can access.
///
///     private let state = Locked(State())
///     state.withLock { $0.isRaised = true }
///
/// The standard library's `Mutex` would suffice, but on Linux the thread sanitizer does not see when it is locked
/// (Swift 6.3) and reports false races, so it could not be used to find real ones.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Protected by ``lock``.
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  /// Calls a closure with exclusive access to the value.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

extension Locked where Value == Void {
  /// Calls a closure with exclusive access to the members that the lock protects.
  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
