import DaybookModel
import DaybookQuery
import LMDB

/// What one object adds to the group that it is in: its key, its values, and its place among the objects.
struct GroupContribution: Equatable {
  /// The encoded key.
  var key: [UInt8] = []
  /// The value of each function; null for the number of objects.
  var values: [Value] = []
  /// The sorted key of the object, if a first or a last value is chosen.
  var place: [UInt8] = []
}

/// Reads what objects add to groups, in one state of the store.
///
/// What leads over links to objects that many others share, such as the name of a category, is read once.
struct GroupContributionReader {
  private let reader: Reader
  private let objects: ResolvedRequest
  private var keys: [PathReader]
  /// The transforms of keys; a key without one is not asked for, because a transform has many parts to copy.
  private let sections: [ResolvedSection?]
  private let isTransformed: [Bool]
  private var values: [PathReader?]
  /// For each value, the number of an earlier one at the end of the same path.
  private let earlier: [Int?]
  private var maker: SortedKeyMaker?
  private(set) var contribution = GroupContribution()

  init(_ grouping: ResolvedGrouping, in reader: Reader) {
    self.reader = reader
    objects = grouping.objects
    keys = grouping.keys.map { PathReader($0.path, in: reader) }
    sections = grouping.keys.map(\.section)
    isTransformed = grouping.keys.map { $0.section != nil }
    let paths = grouping.values.map(\.path)
    values = paths.map { $0.map { PathReader($0, in: reader) } }
    earlier = paths.indices.map { number in
      paths[number].flatMap { path in paths[..<number].firstIndex(of: path) }
    }
    maker = grouping.needsPlaces ? SortedKeyMaker(grouping.objects, reader: reader) : nil
    contribution.values = grouping.values.map { _ in .null }
  }

  /// Reads an object that is in the result of the request for objects; ``contribution`` is what it adds.
  mutating func read(_ id: ObjectID, _ record: RecordView) throws {
    contribution.key.removeAll(keepingCapacity: true)
    for number in keys.indices {
      let raw = try keys[number].value(of: id, record)
      let value = isTransformed[number] ? sections[number]?.value(of: raw) ?? raw : raw
      contribution.key.appendField(Tag(UInt16(number + 1)), value)
    }
    for number in values.indices {
      if let earlier = earlier[number] {
        contribution.values[number] = contribution.values[earlier]
      } else if let value = try values[number]?.value(of: id, record) {
        contribution.values[number] = value
      }
    }
    guard maker != nil else { return }
    contribution.place.removeAll(keepingCapacity: true)
    _ = try maker?.append(id, record, to: &contribution.place)
  }

  /// Returns what an object adds; `nil` if it does not exist, or is not in the result of the request for objects.
  mutating func contribution(of id: ObjectID) throws -> GroupContribution? {
    let object = ObjectKey(entity: objects.entity, id: id)
    guard let bytes = try unsafe reader.unsafeRecord(of: object) else { return nil }
    let record = try RecordView(bytes)
    if record.isTombstone { return nil }
    if let filter = objects.filter {
      var source = ReaderSource(reader: reader)
      unsafe source.provide(bytes.unsafeBytes, of: object)
      guard try filter.matches(object, in: &source) else { return nil }
    }
    try read(id, record)
    return contribution
  }
}

/// Reads the value at the end of a path from many objects.
///
/// It holds no attribute or link of the model: these refer to many objects, all of which would be retained for each value.
private struct PathReader {
  private enum Way {
    /// An attribute of the object's own record.
    case attribute
    /// A to-one link of the object's own record, and what is behind it.
    case link
    case any
  }

  private let path: ResolvedPath
  private let way: Way
  /// The tag of the attribute or of the link.
  private let tag: Tag
  /// The value of a record without the attribute.
  private let missing: Value
  /// The path behind the link.
  private let rest: ResolvedPath
  private var source: ReaderSource
  /// The values behind links, by their targets.
  private var known: [ObjectID: Value] = [:]

  /// The most targets whose values are kept.
  private static let maximumKnownCount = 65_536

  init(_ path: ResolvedPath, in reader: Reader) {
    self.path = path
    source = ReaderSource(reader: reader)
    let model = reader.model
    if path.steps.isEmpty, case .attribute(let number) = path.field {
      let attribute = model.entities[path.start].attributes[number]
      (way, tag, missing, rest) = (.attribute, attribute.tag, attribute.missingValue, path)
    } else if let step = path.steps.first, case let link = model[step.relationship], link.isOwner, !link.isMany,
      !link.isSoft
    {
      rest = ResolvedPath(
        start: step.target, steps: Array(path.steps.dropFirst()), field: path.field, type: path.type, order: path.order)
      (way, tag, missing) = (.link, link.tag, .null)
    } else {
      (way, tag, missing, rest) = (.any, Tag(0), .null, path)
    }
  }

  mutating func value(of id: ObjectID, _ record: RecordView) throws -> Value {
    switch way {
    case .attribute: return try FieldReader.field(tag, in: record.fields)?.value() ?? missing
    case .link:
      guard let next = try record.target(of: tag) else { return .null }
      if let value = known[next] { return value }
      let value = try rest.value(of: ObjectKey(entity: rest.start, id: next), in: &source)
      if known.count >= PathReader.maximumKnownCount { known.removeAll(keepingCapacity: true) }
      known[next] = value
      return value
    case .any: return try path.value(of: ObjectKey(entity: path.start, id: id), in: &source)
    }
  }
}
