import Daybook
import DaybookModel

extension StoreReader {
  /// Returns the object that a text names: a whole UUID, or any unique part of one.
  ///
  ///     let cake = try store.read { try $0.resolve("26f8ad91") }
  ///
  /// A part is searched in the printed form of the identities; if none contains it, in their hexadecimal digits without
  /// dashes. A whole UUID is returned unchanged, whether or not the object exists.
  ///
  /// - Parameters:
  ///   - part: The text, in either case.
  ///   - includesDeleted: Whether deleted objects are included.
  /// - Throws: `StoreError`: `notFound` if no identity has the part, `ambiguous` with the candidates if several do.
  /// - Complexity: O(1) for a whole UUID, else O(*n*) for *n* objects.
  package func resolve(_ part: String, includesDeleted: Bool = false) throws -> ObjectID {
    if let id = ObjectID(part) { return id }
    return try reader.resolve(part, includesDeleted: includesDeleted)
  }
}
