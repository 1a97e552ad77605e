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
  /// Reads the objects; `nil` if their records are given.
  private let reader: Reader?
  private let objects: ResolvedRequest
  private var source: ReaderSource
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
    self.init(
      grouping, in: reader.model, reader, ReaderSource(reader: reader),
      grouping.needsPlaces ? SortedKeyMaker(grouping.objects, reader: reader) : nil)
  }

  /// Makes the reader of a grouping that reads nothing but the records of the objects, in any state of a model.
  ///
  /// - Precondition: ``RequestDependents/objectsReadOnlyOwnRecords``.
  init(_ grouping: ResolvedGrouping, readingRecordsOf model: ResolvedModel) {
    self.init(
      grouping, in: model, nil, ReaderSource(recordsOf: model),
      grouping.needsPlaces ? SortedKeyMaker(grouping.objects, readingRecordsOf: model) : nil)
  }

  private init(
    _ grouping: ResolvedGrouping, in model: ResolvedModel, _ reader: Reader?, _ source: ReaderSource,
    _ maker: SortedKeyMaker?
  ) {
    (self.reader, self.source, self.maker) = (reader, source, maker)
    objects = grouping.objects
    keys = grouping.keys.map { PathReader($0.path, source, in: model) }
    sections = grouping.keys.map(\.section)
    isTransformed = grouping.keys.map { $0.section != nil }
    let paths = grouping.values.map(\.path)
    values = paths.map { $0.map { PathReader($0, source, in: model) } }
    earlier = paths.indices.map { number in
      paths[number].flatMap { path in paths[..<number].firstIndex(of: path) }
    }
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
    guard let reader else { preconditionFailure("The records of objects are given.") }
    let object = ObjectKey(entity: objects.entity, id: id)
    return try unsafe contribution(of: object, reader.unsafeRecord(of: object)?.unsafeBytes ?? .none)
  }

  /// Returns what an object adds by its record; `nil` if it has none, or is not in the result of the request for objects.
  mutating func contribution(of object: ObjectKey, _ bytes: UnsafeBytes) throws -> GroupContribution? {
    guard unsafe !bytes.isNone else { return nil }
    let record = try unsafe RecordView(bytes.unsafeSpan)
    guard !record.isTombstone, try source.isKind(record, of: object.entity) else { return nil }
    if let filter = objects.filter {
      unsafe source.provide(bytes, of: object)
      guard try filter.matches(object, in: &source) else { return nil }
    }
    try read(object.id, record)
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
    /// A to-one link of the object's own record itself.
    case target
    case id, createdAt, changedAt, entity
    case any
  }

  private let path: ResolvedPath
  private let way: Way
  /// The tag of the attribute or of the link.
  private let tag: Tag
  /// The value of a record without the attribute.
  private var missing: Value
  /// The path behind the link.
  private let rest: ResolvedPath
  /// The names of the entities below the root of a hierarchy, if the path is the entity.
  private var entityNames: [Tag: String] = [:]
  private var source: ReaderSource
  /// The values behind links, by their targets.
  private var known: [ObjectID: Value] = [:]

  /// The most targets whose values are kept.
  private static let maximumKnownCount = 65_536

  init(_ path: ResolvedPath, _ source: ReaderSource, in model: ResolvedModel) {
    (self.path, self.source) = (path, source)
    if let step = path.steps.first {
      let link = model[step.relationship]
      rest = ResolvedPath(
        start: step.target, steps: Array(path.steps.dropFirst()), field: path.field, type: path.type, order: path.order)
      way = link.isHeldByOwner ? .link : .any
      (tag, missing) = (link.tag, .null)
      return
    }
    (rest, missing) = (path, .null)
    switch path.field {
    case .id: (way, tag) = (.id, Tag(0))
    case .createdAt: (way, tag) = (.createdAt, Tag(0))
    case .changedAt: (way, tag) = (.changedAt, Tag(0))
    case .attribute(let number):
      let attribute = model.entities[path.start].attributes[number]
      (way, tag, missing) = (.attribute, attribute.tag, attribute.missingValue)
    case .target(let number):
      let link = model.entities[path.start].relationships[number]
      // A row of a derived entity has the targets in its key, whether or not they exist.
      let isOwn = link.isHeldByOwner || model.entities[path.start].isKey(relationship: number)
      (way, tag) = (isOwn ? .target : .any, link.tag)
    case .entity:
      let root = model.entities[model.entities[path.start].root]
      (way, tag, missing) = (.entity, Tag(0), .string(root.name))
      for member in root.descendants { entityNames[model.entities[member].tag] = model.entities[member].name }
    case .place: (way, tag) = (.any, Tag(0))
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
    case .id: return .uuid(id)
    case .createdAt: return .date(record.stamps.createdAt)
    case .changedAt: return .date(record.stamps.changedAt)
    case .entity: return record.entity.flatMap { entityNames[$0] }.map { .string($0) } ?? missing
    case .target: return try record.target(of: tag).map { .uuid($0) } ?? .null
    case .any: return try path.value(of: ObjectKey(entity: path.start, id: id), in: &source)
    }
  }
}

private extension ResolvedRelationship {
  /// Whether the record of the object that has the to-one link shows it.
  var isHeldByOwner: Bool { isInRecord && !isSoft }
}
