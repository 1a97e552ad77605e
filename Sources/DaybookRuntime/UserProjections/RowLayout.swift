import DaybookEngine
import DaybookModel

/// The fields of a derived entity's rows: its stored attributes by rising tag, and then the links that it owns.
///
/// A row holds its values in this order, because most calls of a projection change a row: a dictionary of values would be
/// hashed at each access.
final class RowLayout: Sendable {
  let entity: ResolvedEntity
  /// The number of the entity in the model.
  let number: Int
  /// The names of the fields.
  let names: [String]
  /// The numbers of the attributes in the entity.
  let attributes: [Int]
  /// The tags of the attributes, and what a record without their fields means.
  let (tags, missingValues): ([Tag], [Value])
  /// The tags of the links.
  let links: [Tag]
  /// The fields of the key, by their numbers.
  let key: [Int]
  let keyFields: FieldSet
  private let types: [AttributeType]
  private let keyTypes: [AttributeType]
  private let defaults: [Value]
  private let projection: String

  /// - Parameter key: The names of the fields of the key.
  init(_ entity: ResolvedEntity, key: [String], of projection: String) {
    self.entity = entity
    number = entity.index
    self.projection = projection
    attributes = entity.attributes.indices.filter { entity.attributes[$0].derivation == nil }
    tags = attributes.map { entity.attributes[$0].tag }
    missingValues = attributes.map { entity.attributes[$0].missingValue }
    let owned = entity.relationships.filter(\.isOwner)
    links = owned.map(\.tag)
    let names = attributes.map { entity.attributes[$0].name } + owned.map(\.name)
    self.names = names
    types = attributes.map { entity.attributes[$0].type }
    defaults = attributes.map { entity.attributes[$0].defaultValue } + owned.map { _ in .null }
    self.key = key.map { name in
      guard let number = names.firstIndex(of: name) else {
        preconditionFailure("The fields of a key are stored attributes or owned links.")
      }
      return number
    }
    keyFields = self.key.reduce(into: FieldSet.none) { $0.insert($1) }
    keyTypes = entity.key.map { entity.path(to: $0).type }
  }

  /// Returns the number of a field, or `nil` if no field has the name.
  ///
  /// - Complexity: O(*n*) for *n* fields: a comparison of two short names takes less time than a hash of one.
  func field(named name: String) -> Int? {
    for number in names.indices where names[number] == name { return number }
    return nil
  }

  /// The identity of a row, with the values of its key in stored form.
  struct Identity {
    let id: ObjectID
    let key: [Value]
  }

  /// Returns the identity of the row with a key.
  ///
  /// - Throws: `StoreError`: `badValue` for a key that does not fit, `tooLarge`.
  func identity(_ values: [Value]) throws -> Identity {
    guard values.count == key.count else {
      throw StoreError(
        .badValue,
        "The key of \(entity.name) has \(key.count) values (\(key.map { names[$0] }.joined(separator: ", "))), not "
          + "\(values.count).")
    }
    let made: DerivedKey
    do {
      made = try DerivedKey(values, types: keyTypes)
    } catch {
      throw StoreError(.badValue, "The key of \(entity.name): \(error)")
    }
    guard made.bytes.count <= DerivedEntity.maximumKeySizeInBytes else {
      throw StoreError(
        .tooLarge,
        "A key of \(entity.name) has \(made.bytes.count) bytes; \(DerivedEntity.maximumKeySizeInBytes) are allowed.",
        advice: "Use a shorter value, such as a digest.")
    }
    return Identity(id: made.objectID(of: entity.name, in: projection), key: made.values)
  }

  /// Returns the values of a row that has only its key, and the defaults of its attributes.
  func values(of key: [Value]) -> [Value] {
    var values = defaults
    for (number, value) in zip(self.key, key) { values[number] = value }
    return values
  }

  /// Some fields of a row.
  ///
  /// Fields after the first 63 are in it together.
  struct FieldSet {
    private var bits: UInt64

    static let (none, all) = (FieldSet(bits: 0), FieldSet(bits: .max))

    func contains(_ number: Int) -> Bool { bits & FieldSet.bit(number) != 0 }
    mutating func insert(_ number: Int) { bits |= FieldSet.bit(number) }
    func intersects(_ other: FieldSet) -> Bool { bits & other.bits != 0 }
    mutating func formUnion(_ other: FieldSet) { bits |= other.bits }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(min(number, 63)) }
  }

  /// Returns a value of a field in stored form, or `nil` if it has that form.
  ///
  /// - Throws: `StoreError` with the code `badValue`.
  func normalized(_ value: Value, ofField number: Int) throws -> Value? {
    if value.isNull { return nil }
    guard number < attributes.count else {
      guard case .uuid = value else {
        throw StoreError(
          .badValue, "\(entity.name).\(names[number]) is a link: give the id of its target, or null.")
      }
      return nil
    }
    if types[number].takesAsIs(value) { return nil }
    do {
      return try value.normalized(as: types[number])
    } catch {
      throw StoreError(.badValue, "\(entity.name).\(names[number]): \(error)")
    }
  }
}
