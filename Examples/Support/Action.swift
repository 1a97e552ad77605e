import DaybookMacros

/// A write that a page can ask for by its name, outside of any form. Each is one commit.
///
///     Action("delete task") { tx, input in try tx.delete(input.id("task") as Task.ID) }
package struct Action: Sendable {
  let name: String
  let body: @Sendable (borrowing Transaction, Input) throws -> Void

  /// - Parameters:
  ///   - name: The name, which is also the message of the commit.
  ///   - body: Performs the write.
  package init(_ name: String, _ body: @escaping @Sendable (borrowing Transaction, Input) throws -> Void) {
    (self.name, self.body) = (name, body)
  }
}
