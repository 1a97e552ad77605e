import Daybook
import DaybookModel
import Foundation

/// A write of another thread, which holds the write lock of a store until it is ended.
package final class OpenWrite: Sendable {
  private let hasBegun = DispatchSemaphore(value: 0)
  private let mayEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Begins a write of nothing, and returns when it has the lock.
  ///
  /// - Throws: ``Mismatch`` if it has not begun within a minute.
  package init(to store: Store) throws {
    Thread.detachNewThread { [hasBegun, mayEnd, hasEnded] in
      try? store.write { _ in
        hasBegun.signal()
        _ = mayEnd.wait(timeout: .now() + 60)
      }
      hasEnded.signal()
    }
    guard hasBegun.wait(timeout: .now() + 60) == .success else { throw Mismatch("the write has not begun") }
  }

  /// Ends the write, and returns when the lock is free.
  ///
  /// - Throws: ``Mismatch`` if it has not ended within a minute.
  package func end() throws {
    mayEnd.signal()
    guard hasEnded.wait(timeout: .now() + 60) == .success else { throw Mismatch("the write has not ended") }
  }
}
