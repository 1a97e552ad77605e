import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Validations {
  /// Adds a check of the objects of a struct's entity.
  ///
  ///     options.validations.add(Book.self) { book, context in
  ///       if !isValid(book.isbn) { throw ValidationFailure("\(book.isbn) is not an ISBN", fields: ["isbn"]) }
  ///     }
  ///
  /// The object cannot read related objects itself; the context can.
  public mutating func add<Object: Storable>(
    _ type: Object.Type,
    _ check: @escaping @Sendable (_ object: Stored<Object>, _ context: borrowing ValidationContext) throws -> Void
  ) {
    add(Object.entityName) { object, context in
      try check(Stored(object, source: RowSource(.nowhere)), context)
    }
  }
}
