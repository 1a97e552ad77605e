import DaybookEngine
import DaybookModel

/// The key of an object that a projection writes, with the static type of its entity.
///
///     AuthorMonth.key(author: emma, month: "2026-03")
///
/// The macro `@Entity` generates the function `key` of a struct with `@Key`. By hand it is
/// `EntityKey<AuthorMonth>(emma, "2026-03")`: the values in the order of the declaration, and a link as the id of its
/// target.
public struct EntityKey<Object: Derivable>: Sendable {
  private let values: [any ScalarValue]

  /// Makes a key of its values in the order of the declaration.
  ///
  /// They are checked when the key is used.
  public init(_ values: any ScalarValue...) { self.values = values }

  /// Returns the values in stored form.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored.
  func storedValues() throws -> [Value] { try values.map { try $0._storedValue() } }
}
