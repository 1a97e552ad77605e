import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreOptions {
  /// Adds a check of the objects of a struct's entity; see ``validate(_:_:)-(String,_)``.
  ///
  ///     options.validate(Book.self) { book, reader in
  ///       if !isValid(book.isbn) { throw ValidationFailure("\(book.isbn) is not an ISBN", fields: ["isbn"]) }
  ///     }
  ///
  /// The object cannot read related objects itself; the reader can.
  ///
  /// - Parameters:
  ///   - type: The struct.
  ///   - check: Checks an object in the state after the commit, and throws what is wrong with it.
  public mutating func validate<Object: Storable>(
    _ type: Object.Type,
    _ check: @escaping @Sendable (_ object: Record<Object>, _ reader: borrowing StoreReader) throws -> Void
  ) {
    validate(Object.entityName) { object, reader in
      try check(RowSource(nil).row(object), reader)
    }
  }
}
