import DaybookEngine
import DaybookModel

/// The derived objects of a projection, while it applies a commit.
///
/// What was written is read back at once. The rows of a commit are kept together, or not at all if the call throws.
///
/// It is valid only in the call that receives it, and on the thread of this call.
public struct DerivedRows: ~Copyable {
  let run: DerivedRun

  // Never inlined: see ``Transaction``.
  @inline(never)
  init(_ run: DerivedRun) {
    self.run = run
  }

  /// Returns the object with a key, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - entity: The name of an entity of the projection.
  ///   - key: The values of its key, in the order of the declaration; a link is the identity of its target.
  /// - Throws: `StoreError`: `notFound` for an entity that the projection lacks, `badValue` for a key that does not fit it,
  ///   `damaged`.
  /// - Complexity: O(log *n*)
  public func get(_ entity: String, key: [Value]) throws -> DerivedRow? { try run.row(entity, key) }

  /// Changes the object with a key, which is made if it does not exist, with the defaults of its attributes.
  ///
  ///     try rows.update("AuthorMonth", key: [.uuid(author), .string("2026-03")]) {
  ///       $0["commits"] = .integer(try $0.integer("commits") + 1)
  ///     }
  ///
  /// - Throws: What `change` throws; `StoreError`: `notFound` for a name that the entity lacks, `badValue` for a value that
  ///   does not fit, and the errors of ``get(_:key:)``.
  /// - Complexity: O(log *n*)
  public func update(_ entity: String, key: [Value], _ change: (inout DerivedRow) throws -> Void) throws {
    try run.update(entity, key, change)
  }

  /// Puts an object with these values in the place of the one with the key; others have their defaults.
  ///
  /// - Throws: As ``update(_:key:_:)``.
  public func put(_ entity: String, key: [Value], _ values: [String: Value] = [:]) throws {
    var row = try run.newRow(entity, key)
    for (name, value) in values { row[name] = value }
    try run.put(row)
  }

  /// Deletes the object with a key, if there is one. Links to it read as nil from then on.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: As ``get(_:key:)``.
  @discardableResult
  public func delete(_ entity: String, key: [Value]) throws -> Bool { try run.delete(entity, key) }

  /// Returns the identity of the object with a key, which it has whether it exists or not.
  package func id(of entity: String, key: [Value]) throws -> ObjectID { try run.identity(entity, key).id }

  /// Puts an object with these values, which include its key.
  package func put(_ entity: String, _ values: [String: Value]) throws {
    try put(entity, key: run.key(of: entity, in: values), values)
  }

  /// Returns a row as an object, from which a struct reads its properties.
  package func object(of row: DerivedRow) throws -> StoredObject { try run.object(of: row) }

  /// Calls a closure with a reader of the rows, and of the stored objects after the commit.
  package func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try body(run.state())
  }
}

/// A derived object that a projection writes: its values and links by their names.
public struct DerivedRow {
  /// The identity, which follows from the key.
  public let id: ObjectID
  /// The values of the key.
  let key: [Value]
  let layout: RowLayout
  /// The values in the order of the layout.
  private(set) var values: [Value]
  /// The fields that were set.
  private(set) var changed: RowLayout.FieldSet
  /// What was set under names that the entity lacks, which is refused when the row is put.
  private var others: [String: Value] = [:]

  /// - Parameter values: The values; `nil` for the key, and the defaults of the attributes.
  init(_ identity: RowLayout.Identity, _ layout: RowLayout, _ values: [Value]? = nil) {
    (id, key) = (identity.id, identity.key)
    self.layout = layout
    self.values = values ?? layout.values(of: key)
    changed = values == nil ? .all : .none
  }

  /// The name of the entity.
  public var entity: String { layout.entity.name }

  /// The value of an attribute, or the identity to which a link leads; null for none, and for a name that the entity lacks.
  ///
  /// A change of a field of the key, or of a name that the entity lacks, is refused when the row is put.
  public subscript(name: String) -> Value {
    get { layout.field(named: name).map { values[$0] } ?? others[name] ?? .null }
    set {
      guard let number = layout.field(named: name) else {
        others[name] = newValue
        return
      }
      values[number] = newValue
      changed.insert(number)
    }
  }

  /// Brings the values into stored form.
  ///
  /// - Throws: `StoreError`: `notFound` for a name that the entity lacks, `badValue` for a value that does not fit or a
  ///   changed key, `tooLarge`.
  mutating func normalize() throws {
    if !others.isEmpty { for name in others.keys { _ = try layout.entity.requireStoredAttribute(name) } }
    var mayBeLarge = false
    for number in values.indices where changed.contains(number) {
      if let stored = try layout.normalized(values[number], ofField: number) { values[number] = stored }
      mayBeLarge = mayBeLarge || values[number].hasSize
    }
    guard changed.intersects(layout.keyFields) || mayBeLarge else { return }
    for (number, value) in zip(layout.key, key) where changed.contains(number) && values[number] != value {
      throw StoreError(
        .badValue, "\(entity).\(layout.names[number]) is in the key of the row, which cannot be changed.",
        advice: "Delete the row, and put one with the other key.")
    }
    let size = mayBeLarge ? values.reduce(0) { $0 + $1.sizeInBytes } : 0
    guard size <= DerivedRun.maximumRowSizeInBytes else {
      throw StoreError(
        .tooLarge, "A row of \(entity) has \(size) bytes; \(DerivedRun.maximumRowSizeInBytes) are allowed.",
        advice: "Store less, or make several rows.")
    }
  }

  /// Returns the whole number of an attribute; 0 if it has no value.
  ///
  /// - Throws: `StoreError` with the code `badValue` if the value is no whole number.
  public func integer(_ name: String) throws -> Int64 {
    switch self[name] {
    case .null: return 0
    case .integer(let number): return number
    default: throw StoreError(.badValue, "\(entity).\(name) is no whole number.")
    }
  }
}

private extension Value {
  /// Whether the size of the value matters.
  var hasSize: Bool {
    switch self {
    case .string, .data: true
    default: false
    }
  }

  /// The size of text or data; of other values it does not matter.
  var sizeInBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 16
    }
  }
}
