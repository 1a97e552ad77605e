import Foundation

/// A value that one thread at a time looks at.
///
///     private let state = Locked(State())
///     state.withLock { $0.isRaised = true }
///
/// The standard library's `Mutex` would do, but on Linux the thread sanitizer does not see when it is taken (Swift 6.3),
/// and reports races where there are none; so it could report none that there are.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  /// Protected by ``lock``.
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
  }

  /// Looks at the value, while no other thread does.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
