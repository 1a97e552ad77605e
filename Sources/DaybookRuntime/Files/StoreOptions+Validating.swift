import DaybookEngine
import DaybookModel

extension StoreOptions {
  /// Adds a check of the objects of an entity, for what a rule of the model cannot express.
  ///
  ///     var options = StoreOptions()
  ///     options.validate("Book") { book, reader in
  ///       guard case .string(let number) = book["isbn"], !isValid(number) else { return }
  ///       throw ValidationFailure("\(number) is not an ISBN", fields: ["isbn"])
  ///     }
  ///
  /// Rules belong to the model: each program keeps them, in each language. A check is code of this program, and other
  /// programs that write to the store do not run it. It runs at the end of a commit for each object of its entity that the
  /// commit changed or linked and that still exists, after the rules of the model, and in the previews of editing contexts.
  /// An error that it throws refuses the commit.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity. Objects of an entity that the model lacks are never checked.
  ///   - check: Checks an object in the state after the commit, which the reader reads, and throws what is wrong with it: a
  ///     ``ValidationFailure``, or any other error. The reader has no objects of projections, which follow from commits.
  public mutating func validate(
    _ entity: String,
    _ check: @escaping @Sendable (_ object: StoredObject, _ reader: borrowing StoreReader) throws -> Void
  ) {
    validations.add(entity, check)
  }
}
