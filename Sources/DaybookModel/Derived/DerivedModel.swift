/// The derived entities of one projection, with the first of their tags.
///
/// Tags follow from the declarations: one for each entity and its timeline, then for each attribute, for each
/// relationship and the way back of it, for each index and for each constraint, in this order. So two programs with the
/// same declarations have the same tags, but for the first one.
package struct DerivedModel: Hashable, Sendable {
  /// The name of the projection.
  package let projection: String
  /// The names of the projections whose rows it reads.
  package let reads: [String]
  /// The entities in the order of their declaration.
  package let entities: [DerivedEntity]
  /// The tag of the first entity.
  package var firstTag: UInt16
  /// The number of the last commits whose changes are kept with the rows; `nil` if all are.
  package let keptCommitCount: UInt64?

  /// - Parameter entities: The entities as they were declared; their defaults become those that are stored, and a link
  ///   that another one names as its inverse names that one too.
  package init(
    projection: String, reads: [String], entities: [DerivedEntity], firstTag: UInt16 = Tag.firstDerived,
    keptCommitCount: UInt64? = nil
  ) {
    self.projection = projection
    self.reads = reads
    let declared = Model(entities: DerivedModel.completingInverses(of: entities.map(\.entity))).normalized()
    self.entities = zip(declared.entities, entities).map { DerivedEntity($0, key: $1.key) }
    self.firstTag = firstTag
    self.keptCommitCount = keptCommitCount
  }

  /// Returns the first commit whose changes are kept with rows.
  package func firstKept(at checkpoint: Position) -> Position {
    let kept = keptCommitCount ?? .max
    return Position(checkpoint.number > kept ? checkpoint.number - kept + 1 : 1)
  }

  private static func completingInverses(of entities: [Entity]) -> [Entity] {
    var completed = entities
    for (number, entity) in entities.enumerated() {
      for (place, link) in entity.relationships.enumerated() where link.inverse.isEmpty {
        let other = entities.first { $0.name == link.target }
        let back = other?.relationships.first { $0.target == entity.name && $0.inverse == link.name }
        if let back { completed[number].relationships[place].inverse = back.name }
      }
    }
    return completed
  }

  /// The number of tags that the entities take.
  package var tagCount: Int {
    entities.reduce(0) {
      $0 + 2 + $1.entity.attributes.count + 2 * $1.entity.relationships.count + $1.entity.indexes.count
        + $1.entity.unique.count
    }
  }

  /// The tags of the entities; none if there is no room for them.
  package var tags: Range<UInt16> {
    let end = Int(firstTag) + tagCount
    return firstTag..<UInt16(clamping: end)
  }
}

extension DerivedModel {
  /// The stored form: the declarations as in a model file, with the key of each entity.
  package var json: JSONValue {
    let declared = Model(entities: entities.map(\.entity))
    var members: [(String, JSONValue)] = [
      ("projection", .string(projection)), ("reads", .array(reads.map(JSONValue.string))),
      ("firstTag", .integer(Int64(firstTag))),
      ("keys", .array(entities.map { .array($0.key.map(JSONValue.string)) })),
      ("model", declared.json),
    ]
    if let keptCommitCount { members.append(("keptCommits", .integer(Int64(clamping: keptCommitCount)))) }
    return .object(members)
  }

  /// The stored form as text.
  package var text: String {
    var bytes: [UInt8] = []
    json.write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the stored form from a text.
  ///
  /// - Throws: `MalformedBytes` if it is another text.
  package init(text: String) throws(MalformedBytes) {
    do {
      try self.init(json: JSONValue(parsing: Array(text.utf8)))
    } catch {
      throw MalformedBytes(offset: 0, expected: "a description of derived entities")
    }
  }

  /// Reads the stored form.
  ///
  /// - Throws: `ModelError` if it is not one: it comes from a file.
  package init(json: JSONValue) throws(ModelError) {
    guard let projection = json["projection"]?.stringValue, let model = json["model"],
      let firstTag = json["firstTag"]?.integerValue.flatMap(UInt16.init(exactly:)), firstTag >= Tag.firstDerived
    else { throw ModelError([Fault("", "is no description of derived entities")]) }
    let declared = try Model(json: model)
    let keys = (json["keys"]?.elements ?? []).map { ($0.elements ?? []).compactMap(\.stringValue) }
    guard keys.count == declared.entities.count else {
      throw ModelError([Fault("", "needs a key for each derived entity")])
    }
    self.init(
      projection: projection, reads: (json["reads"]?.elements ?? []).compactMap(\.stringValue),
      entities: zip(declared.entities, keys).map { DerivedEntity($0, key: $1) }, firstTag: firstTag,
      keptCommitCount: json["keptCommits"]?.integerValue.map { UInt64(clamping: $0) })
  }
}
