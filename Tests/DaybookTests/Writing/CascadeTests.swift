import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Deletes that cascade: in cycles, at depth, and refused in the middle.
@Suite(.hangLimit) struct CascadeTests {
  /// Folders in folders, with files.
  ///
  /// A folder is sorted below its parent's name, and counts its contents.
  private static let model = Model(entities: [
    Entity(
      name: "Folder", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "folderCount", type: nil, derivation: .count(relationship: "folders")),
      ],
      relationships: [
        Relationship(name: "parent", target: "Folder", inverse: "folders", isOptional: true),
        Relationship(name: "folders", target: "Folder", inverse: "parent", isMany: true, deleteRule: .cascade),
        Relationship(name: "next", target: "Folder", inverse: "before", isOptional: true, deleteRule: .cascade),
        Relationship(name: "before", target: "Folder", inverse: "next", isMany: true),
        Relationship(name: "friends", target: "Folder", inverse: "fans", isMany: true, deleteRule: .cascade),
        Relationship(name: "fans", target: "Folder", inverse: "friends", isMany: true, deleteRule: .cascade),
        Relationship(name: "locks", target: "Lock", inverse: "folder", isMany: true, deleteRule: .deny),
      ],
      indexes: [Index([.init(path: ["parent", "name"]), .init(path: ["name"])])]),
    Entity(
      name: "Lock", attributes: [Attribute(name: "reason", type: .string, isOptional: true)],
      relationships: [Relationship(name: "folder", target: "Folder", inverse: "locks", isOptional: true)]),
  ])

  private func expectRowsAsBefore(
    _ rows: TableDump, at position: Position, in store: Store, location: SourceLocation = #_sourceLocation
  ) throws {
    let model = try store.read { $0.resolvedModel }
    let difference = try store.projectionRows(at: position).withoutDefaults(in: model)
      .firstDifference(from: rows.withoutDefaults(in: model))
    #expect(difference == nil, sourceLocation: location)
  }

  private func expectAllGone(_ store: Store, location: SourceLocation = #_sourceLocation) throws {
    #expect(try store.read { try $0.count(Request(entity: "Folder")) } == 0, sourceLocation: location)
    let links = try store.projectionRows()[.links]
    #expect(links.isEmpty, sourceLocation: location)
  }

  /// Creates a chain of folders, deletes the first one, and undoes the delete.
  private func checkChain(
    of count: Int, _ connect: (_ folder: ObjectID, _ last: ObjectID, borrowing Transaction) throws -> Void,
    closing: (_ last: ObjectID, _ first: ObjectID, borrowing Transaction) throws -> Void = { _, _, _ in }
  ) throws {
    try withTemporaryStore(Self.model) { store in
      let first = try store.write { tx in
        let first = try tx.insert("Folder", ["name": "f"])
        var last = first
        for _ in 1..<count {
          let folder = try tx.insert("Folder", ["name": "f"])
          try connect(folder, last, tx)
          last = folder
        }
        try closing(last, first, tx)
        return first
      }
      let (before, rows) = (try store.position, try store.projectionRows())
      try store.write { try $0.delete(first) }
      #expect(try store.position == before.next)
      try expectAllGone(store)
      try expectRowsAsBefore(rows, at: before, in: store)
    }
  }

  @Test func aDeepTreeGoesInOneCommitAndComesBack() throws {
    try checkChain(of: Rounds.of(100_000)) { try $2.relate($0, "parent", to: $1) }
  }

  @Test func aLongCycleGoesInOneCommit() throws {
    try checkChain(of: Rounds.of(100_000)) {
      try $2.relate($0, "parent", to: $1)
    } closing: {
      try $2.relate($1, "parent", to: $0)
    }
  }

  @Test func linksToOneCascadeAsFar() throws {
    try checkChain(of: Rounds.of(20_000)) { try $2.relate($1, "next", to: $0) }
  }

  @Test func aNetWhereEachTakesBothNeighboursAlongGoesWhole() throws {
    try checkChain(of: Rounds.of(20_000)) {
      try $2.relate($0, "friends", to: $1)
      try $2.relate($1, "friends", to: $0)
    }
  }

  @Test func anObjectThatIsItsOwnChildGoes() throws {
    try checkChain(of: 1) { _, _, _ in
    } closing: {
      try $2.relate($0, "parent", to: $1)
    }
  }

  @Test func aFolderWithManyChildrenGoesWithThem() throws {
    try withTemporaryStore(Self.model) { store in
      let top = try store.write { tx in
        let top = try tx.insert("Folder", ["name": "top"])
        for _ in 0..<Rounds.of(20_000) { try tx.relate(try tx.insert("Folder", ["name": "f"]), "parent", to: top) }
        return top
      }
      let (before, rows) = (try store.position, try store.projectionRows())
      try store.write { try $0.delete(top) }
      try expectAllGone(store)
      try expectRowsAsBefore(rows, at: before, in: store)
    }
  }

  @Test func oneThatDeniesFarDownKeepsAll() throws {
    try withTemporaryStore(Self.model) { store in
      let (top, last, lock) = try store.write { tx in
        let top = try tx.insert("Folder", ["name": "f"])
        var last = top
        for _ in 1..<Rounds.of(20_000) {
          let folder = try tx.insert("Folder", ["name": "f"])
          try tx.relate(folder, "parent", to: last)
          last = folder
        }
        let lock = try tx.insert("Lock")
        try tx.relate(lock, "folder", to: last)
        return (top, last, lock)
      }
      let (before, rows) = (try store.position, try store.projectionRows())
      let error = #expect(throws: StoreError.self) { try store.write { try $0.delete(top) } }
      #expect(error?.code == .constraint)
      #expect(error?.message.contains("\(lock)") == true)
      #expect(
        error?.failure
          == ConstraintFailure(entity: "Folder", object: last, fields: ["locks"], rule: .deny, value: 1))
      #expect(try store.position == before)
      #expect(try store.projectionRows().firstDifference(from: rows) == nil)
      try store.write { tx in
        try tx.delete(lock)
        try tx.delete(top)
      }
      #expect(try store.read { try $0.count(Request(entity: "Folder")) } == 0)
    }
  }

  /// A delete removes exactly the objects that it reaches.
  ///
  /// The test covers all graphs of three objects with links to children, and a delete of each object.
  @Test func whatIsReachedGoesInEverySmallGraph() throws {
    let pairs = (0..<3).flatMap { a in (0..<3).map { (a, $0) } }
    try withTemporaryStore(Self.model) { store in
      for graph in 0..<(1 << pairs.count) {
        let edges = pairs.indices.filter { graph >> $0 & 1 == 1 }.map { pairs[$0] }
        // A child has one parent.
        guard Set(edges.map(\.1)).count == edges.count else { continue }
        for start in 0..<3 {
          var reached: Set = [start]
          while let edge = edges.first(where: { reached.contains($0.0) && !reached.contains($0.1) }) {
            reached.insert(edge.1)
          }
          let folders = try store.write { tx in
            let folders = try (0..<3).map { try tx.insert("Folder", ["name": .string("\(graph) \($0)")]) }
            for (parent, child) in edges { try tx.relate(folders[parent], "folders", to: folders[child]) }
            return folders
          }
          let (before, rows) = (try store.position, try store.projectionRows())
          try store.write { try $0.delete(folders[start]) }
          for number in 0..<3 {
            #expect(
              try (store.get(folders[number]) == nil) == reached.contains(number), "graph \(graph) from \(start)")
          }
          try expectRowsAsBefore(rows, at: before, in: store)
          try store.write { tx in
            for folder in folders where try tx.get(folder) != nil { try tx.delete(folder) }
          }
        }
      }
    }
  }
}
