import DaybookModel

extension ResolvedModel {
  /// Parses a model from the body of its commit.
  package convenience init(body: RawSpan, at position: Position) throws {
    do {
      try self.init(stored: JSONValue(parsing: [UInt8](body)))
    } catch {
      throw StoreError(
        .damaged, "The model of commit \(position) cannot be read: \(error)", advice: .verify)
    }
  }
}
