import Daybook
import DaybookModel

/// A projection that counts all commits and events, and chains a digest over them.
///
/// The digest reveals an event that was skipped, applied twice or applied in another order. Rows of objects are inserted
/// and deleted with the objects. The entities are named for the projection, so that a store can have several of them.
package struct ChainProjection: Projection {
  package let name: String
  package let version: Int
  package let mode: ProjectionMode

  package init(_ name: String, mode: ProjectionMode, version: Int = 1) {
    self.name = name
    self.mode = mode
    self.version = version
  }

  package var entities: [DerivedEntity] {
    func count(_ name: String) -> Attribute { Attribute(name: name, type: .integer, defaultValue: .integer(0)) }
    return [
      DerivedEntity(
        Entity(
          name: Self.figuresEntity(of: name),
          attributes: [
            Attribute(name: "number", type: .integer), count("commits"), count("events"),
            Attribute(name: "chain", type: .data, isOptional: true),
          ]),
        key: ["number"]),
      DerivedEntity(
        Entity(
          name: Self.objectsEntity(of: name),
          attributes: [Attribute(name: "object", type: .uuid), count("count"), count("last")],
          indexes: [Index([SortTerm(path: ["count"]), SortTerm(path: ["last"])])]),
        key: ["object"]),
    ]
  }

  /// Returns the name of the entity with one row, which has the counts and the digest.
  package static func figuresEntity(of name: String) -> String { "\(name)Figures" }

  /// Returns the name of the entity with a row for each object.
  package static func objectsEntity(of name: String) -> String { "\(name)Objects" }

  package func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    let (position, events) = (commit.position, try commit.events())
    let beginning = Self.bytes(of: position, commit.isModel ? 255 : 0, .zero)
    try rows.update(Self.figuresEntity(of: name), key: [.integer(0)]) { row in
      row["commits"] = .integer(try row.integer("commits") + 1)
      row["events"] = .integer(try row.integer("events") + Int64(events.count))
      let links = events.map { Self.bytes(of: position, Self.number(of: $0.kind), $0.object) }
      row["chain"] = .data(links.reduce(Self.link(Self.chain(row["chain"]), beginning), Self.link))
    }
    let entity = Self.objectsEntity(of: name)
    for event in events {
      try rows.update(entity, key: [.uuid(event.object)]) { row in
        row["count"] = .integer(try row.integer("count") + 1)
        row["last"] = .integer(Int64(position.number))
      }
      if event.kind == .deleted { try rows.delete(entity, key: [.uuid(event.object)]) }
    }
  }

  private static func chain(_ value: Value) -> [UInt8] { if case .data(let bytes) = value { bytes } else { [] } }

  private static func link(_ old: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    var input = old
    input.append(contentsOf: bytes)
    var output: [UInt8] = []
    output.append(Digest(hashing: input.rawSpan))
    return output
  }

  private static func bytes(of position: Position, _ kind: UInt8, _ object: ObjectID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(position.number)
    bytes.append(kind)
    bytes.append(object)
    return bytes
  }

  private static func number(of kind: Event.Kind) -> UInt8 {
    UInt8(Event.Kind.allCases.firstIndex(of: kind) ?? 254)
  }
}

extension ChainProjection {
  /// The counts and the digest, and the rows of the objects.
  package struct Figures: Hashable, Sendable, CustomStringConvertible {
    package var commits: Int64 = 0
    package var events: Int64 = 0
    package var chain: [UInt8] = []
    /// The numbers of events of the objects, and the positions of the last ones.
    package var objects: [ObjectID: [Int64]] = [:]

    package var description: String { "\(commits) commits, \(events) events, \(objects.count) objects, chain \(chain)" }
  }

  /// Computes the expected figures from the journal up to a position.
  package static func expected(of reader: borrowing StoreReader, through last: Position) throws -> Figures {
    var figures = Figures()
    try reader.journal.forEachCommit(from: 1, through: last) { commit in
      figures.commits += 1
      let position = commit.header.position
      figures.chain = link(figures.chain, bytes(of: position, commit.header.isModel ? 255 : 0, .zero))
      if commit.header.isModel { return true }
      var events = commit.events
      while !events.isAtEnd {
        let event = RawEvent(try events.next(), position: position, time: commit.header.time)
        figures.events += 1
        figures.chain = link(figures.chain, bytes(of: position, number(of: event.kind), event.object))
        let count = figures.objects[event.object]?[0] ?? 0
        figures.objects[event.object] = event.kind == .deleted ? nil : [count + 1, Int64(position.number)]
      }
      return true
    }
    return figures
  }

  /// Reads the figures from the rows of a projection, which this process need not know.
  ///
  /// - Returns: The figures, and the checkpoint of the rows.
  /// - Throws: ``Mismatch`` if there are other rows than the projection makes.
  package static func figures(
    of name: String, _ reader: borrowing StoreReader
  ) throws -> (figures: Figures, checkpoint: Position) {
    let found = try reader.fetch(Request<StoredObject>(entity: figuresEntity(of: name)))
    guard found.rows.count == 1, let row = found.rows.first else {
      throw Mismatch("\(name) at \(found.position) has \(found.rows.count) rows of figures")
    }
    var figures = Figures(
      commits: try integer("commits", of: row), events: try integer("events", of: row), chain: chain(row["chain"]))
    let objects = try reader.fetch(Request<StoredObject>(entity: objectsEntity(of: name)))
    guard objects.position == found.position else {
      throw Mismatch("\(name) is at \(found.position) and at \(objects.position)")
    }
    for row in objects.rows {
      guard case .uuid(let object) = row["object"] else { throw Mismatch("\(row) is no row of \(name)") }
      figures.objects[object] = [try integer("count", of: row), try integer("last", of: row)]
    }
    guard figures.objects.count == objects.rows.count else { throw Mismatch("\(name) has an object twice") }
    return (figures, found.position)
  }

  private static func integer(_ name: String, of row: StoredObject) throws -> Int64 {
    guard case .integer(let number) = row[name] else { throw Mismatch("\(row) has no \(name)") }
    return number
  }

  /// Compares the rows of a projection with the journal up to its checkpoint.
  ///
  /// - Returns: The checkpoint.
  /// - Throws: ``Mismatch``.
  @discardableResult
  package static func check(_ name: String, in store: Store) throws -> Position {
    try store.read { reader in
      let (found, position) = try figures(of: name, reader)
      let expected = try expected(of: reader, through: position)
      guard found == expected else {
        throw Mismatch("\(name) at \(position) has \(found), and the journal \(expected)")
      }
      return position
    }
  }
}
