import DaybookModel
import DaybookQuery

/// Declared groups, in the form in which the fold keeps their rows.
///
/// A group has a row in `objects`, which is read as an object: its key and its values, and its state, from which the
/// values follow when an object joins the group or leaves it. What a state of a fixed size cannot hold has rows in
/// `links`, below the identity of the group: each different value of which the least, the greatest or the number is
/// shown, with the number of its objects; and the value of each object, if the first or the last is shown. A row in
/// `indexes` has the group in order of its key. `docs/file-format.md` describes them byte by byte.
package final class KeptGroups: Sendable {
  package let tag: Tag
  package let keysTag: Tag
  package let keys: [ResolvedGrouping.Key]
  let tags: GroupRowTags
  package let values: [Value]
  /// The different paths of the values.
  package let paths: [Path]
  /// What the identities of groups are made of beside keys.
  private let identity: [UInt8]

  /// A value of the groups.
  package struct Value: Sendable {
    package let function: Accumulator.Function
    /// The number of its path; `nil` for the number of objects.
    package let path: Int?
    let tag: Tag
  }

  /// A path to values of the objects, and what is kept of these.
  package struct Path: Sendable {
    let path: ResolvedPath
    package let isAdded: Bool
    /// Whether each different value has a row.
    package let hasSet: Bool
    /// Whether each object has a row.
    package let hasPlaces: Bool
  }

  init(_ groups: ResolvedGroups, of entity: ResolvedEntity, in model: ResolvedModel) {
    (tag, keysTag) = (groups.tag, groups.keysTag)
    let tags = GroupRowTags(keyCount: groups.keys.count, valueCount: groups.values.count)
    self.tags = tags
    keys = groups.keys.enumerated().map { ResolvedGrouping.Key($1, tags, $0) }
    identity = ResolvedGrouping.identity(of: groups.keys, entity: entity, in: model)
    var paths: [ResolvedPath] = []
    for path in groups.values.compactMap(\.path) where !paths.contains(path) { paths.append(path) }
    values = groups.values.enumerated().map { number, value in
      Value(
        function: value.function, path: value.path.flatMap { paths.firstIndex(of: $0) }, tag: tags.value(number))
    }
    self.paths = paths.map { path in
      let functions = Set(groups.values.filter { $0.path == path }.map(\.function))
      return Path(
        path: path, isAdded: !functions.isDisjoint(with: [.sum, .average]),
        hasSet: !functions.isDisjoint(with: [.minimum, .maximum, .distinct]),
        hasPlaces: !functions.isDisjoint(with: [.first, .last]))
    }
  }

  /// Returns the identity of the group with an encoded key.
  func id(of key: RawSpan) -> ObjectID {
    var bytes = identity
    bytes.appendRun(key)
    return ObjectID(hashing: bytes.rawSpan)
  }
}

/// What an object adds to its group, as bytes that are equal for equal contributions: the key, and a field for each path.
extension KeptGroups {
  /// Appends what an object adds.
  ///
  /// - Parameter source: Has the objects at the ends of paths.
  func appendContribution(
    of object: ObjectKey, _ record: RecordView, from source: some PathSource, in model: ResolvedModel,
    to bytes: inout [UInt8]
  ) throws {
    var key: [UInt8] = []
    for (number, part) in keys.enumerated() {
      let value = try part.path.value(of: object, record, from: source, in: model)
      key.appendField(Tag(UInt16(number + 1)), part.section?.value(of: value) ?? value)
    }
    bytes.appendRun(key.rawSpan)
    for (number, part) in paths.enumerated() {
      bytes.appendField(
        Tag(UInt16(number + 1)), try part.path.value(of: object, record, from: source, in: model))
    }
  }

  /// Reads the key and the values of a contribution.
  func contribution(_ bytes: RawSpan) throws -> (key: [UInt8], values: [DaybookModel.Value]) {
    var reader = ByteReader(bytes)
    let key = [UInt8](try reader.run())
    var fields = FieldReader(bytes.extracting(droppingFirst: reader.offset))
    var values: [DaybookModel.Value] = []
    while !fields.isAtEnd { values.append(try fields.next().value()) }
    return (key, values)
  }
}

/// The rows in `links`.
extension KeptGroups {
  /// The most bytes of a sorted value in a key; two values that share them differ in their digests.
  static let maximumSortedSize = 400

  /// Builds the prefix of the rows of a path's different values, or of the values of its objects.
  package func prefix(of group: ObjectID, path: Int, places: Bool) -> [UInt8] {
    var key: [UInt8] = []
    RowKey.object(tag, group, into: &key)
    key.append(UInt8(path) | (places ? 128 : 0))
    return key
  }

  /// Builds the key of the row of a value.
  func key(of value: DaybookModel.Value, in group: ObjectID, path number: Int) -> [UInt8] {
    var key = prefix(of: group, path: number, places: false)
    let start = key.count
    let path = paths[number].path
    if path.type.isOrdered { SortKey.append(value, order: path.order, to: &key) }
    if key.count - start > KeptGroups.maximumSortedSize {
      key.removeLast(key.count - start - KeptGroups.maximumSortedSize)
    }
    var canonical: [UInt8] = []
    canonical.appendCanonical(value)
    key.append(ObjectID(hashing: canonical.rawSpan))
    return key
  }

  /// Returns the number of bytes in the key of a value's row before the digest: they sort as the values do, up to values
  /// that are cut.
  static func sortedSize(ofKey key: RawSpan) -> Int { key.byteCount - ObjectID.byteCount }

  /// Whether the value in the key of a row may be cut.
  static func isCut(_ key: RawSpan) -> Bool {
    sortedSize(ofKey: key) - RowKey.headSize - 1 >= maximumSortedSize
  }

  /// Returns the row of a value: the number of its objects, and the value.
  static func row(_ value: DaybookModel.Value, count: Int) -> [UInt8] {
    var row: [UInt8] = []
    row.appendVarint(UInt64(count))
    row.appendCanonical(value)
    return row
  }

  /// Returns the row of the value of one object, as the object has it.
  static func row(ofPlaced value: DaybookModel.Value) -> [UInt8] {
    var row: [UInt8] = []
    row.appendVarint(1)
    row.appendField(Tag(1), value)
    return row
  }

  /// Reads the value of a row.
  package static func read(_ row: RawSpan) throws -> (value: DaybookModel.Value, count: Int) {
    var reader = ByteReader(row)
    let count = try reader.positiveCount()
    var fields = FieldReader(row.extracting(droppingFirst: reader.offset))
    return (try fields.next().value(), count)
  }

  /// Builds the key of the row with the values of a group that have no value of their type.
  func faultKey(of group: ObjectID) -> [UInt8] {
    var key: [UInt8] = []
    RowKey.object(keysTag, group, into: &key)
    return key
  }
}
