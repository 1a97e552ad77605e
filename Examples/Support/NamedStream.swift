import DaybookMacros
import DaybookModel
import Foundation

/// A stream that a page reads: values that the application computes when there are new commits.
///
///     NamedStream("events") { store, _ in try ListController(of: events, in: store).next }
///
/// The closure makes the source for one page. The source returns the next value, or `nil` while none is available; it
/// is called at the beginning and after commits, one call at a time.
package struct NamedStream: Sendable {
  let name: String
  let open: @Sendable (Store, Input) throws -> @Sendable () throws -> String?

  /// - Parameter open: Returns the source of the values for what the page sent.
  package init<Value: Encodable & SendableMetatype>(
    _ name: String, _ open: @escaping @Sendable (Store, Input) throws -> @Sendable () throws -> Value?
  ) {
    self.name = name
    self.open = { store, input in
      let next = try open(store, input)
      return { try next().map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } }
    }
  }
}
