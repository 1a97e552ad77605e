import DaybookEngine
import DaybookModel

/// A struct into which the objects of an entity are read, with their values as its properties.
///
/// It is ``Storable`` if a program writes the objects, and ``Derivable`` if a projection does. Requests, results and feeds
/// take either.
public protocol Fetchable: Sendable {
  /// The names of its attributes and relationships, at which key paths begin.
  associatedtype Fields: EntityFields where Fields.Object == Self

  /// The name of the entity in the model; by default the name of the type.
  static var entityName: String { get }

  /// Reads an object. Values are found fastest in the order of the model.
  ///
  /// - Throws: `StoreError` with the code `badValue` if a stored value does not fit its property.
  init(row: inout ObjectRow) throws
}

extension Fetchable {
  public static var entityName: String { String(describing: Self.self) }

  /// A request for all objects of the entity.
  public static var all: Request<Record<Self>> { Request() }

  /// Returns a request for the objects that match a condition.
  ///
  ///     Recipe.where { $0.servings > 4 }
  ///     Task.where { $0.isDone }
  public static func `where`(_ condition: (Fields) -> some FilterConvertible) -> Request<Record<Self>> {
    all.where(condition)
  }

  /// Returns the names of the path to a field.
  static func names(of field: KeyPath<Fields, some FieldReference>) -> [String] {
    Fields(at: .object)[keyPath: field]._fieldPath.names
  }

  /// Returns the name of a field of the entity itself.
  ///
  /// - Throws: `StoreError` with the code `badRequest` for a field of a related object.
  static func name(of field: KeyPath<Fields, some FieldReference>) throws -> String {
    let names = names(of: field)
    guard names.count == 1 else {
      throw StoreError(
        .badRequest, "“\(names.joined(separator: "."))” is not a field of \(entityName) itself.",
        advice: "Change the object that has it.")
    }
    return names[0]
  }
}
