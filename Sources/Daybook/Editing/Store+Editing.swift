import DaybookModel
import Foundation

extension Store {
  /// Makes a context for editing.
  ///
  /// - Parameter position: The state to edit; `nil` for the present one.
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, or 0; `closed`.
  /// - Complexity: O(1); for an earlier position as much as reading it.
  public func makeContext(at position: Position? = nil) throws -> EditingContext {
    let base = try read { try EditingBase($0, at: position) }
    return EditingContext(on: .store(self), base: base, lock: NSRecursiveLock())
  }
}
