import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Single objects of projections at earlier positions.
@Suite(.hangLimit) struct PastObjectTests {
  /// A derived entity without links, whose rows depend on their own records alone.
  private struct SizeProjection: Projection {
    let name = "sizes"
    let version = 1
    let entities = [
      DerivedEntity(
        Entity(
          name: "MonthSize",
          attributes: [
            Attribute(name: "month", type: .string),
            Attribute(name: "size", type: .integer, defaultValue: .integer(0)),
          ]),
        key: ["month"])
    ]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.deleted("Revision") {
        guard let old = try commit.before.get(id) else { continue }
        try rows.delete("MonthSize", key: [old["month"]])
      }
      for id in commit.inserted("Revision") {
        guard let new = try commit.after.get(id), case .integer(let size) = new["size"] else { continue }
        try rows.update("MonthSize", key: [new["month"]]) {
          $0["size"] = .integer(try $0.integer("size") + size)
        }
      }
    }
  }

  @Test func `an object and its blame are read at each position as they were there`() throws {
    let options = StoreOptions.knowing(MonthProjection(mode: .inline), SizeProjection())
    try withTemporaryStore(MonthProjection.model, options: options) { store in
      let requests = ["AuthorMonth", "MonthSize"].map { Request(entity: $0) }
      var states: [(position: Position, objects: [ObjectID: StoredObject], blames: [ObjectID: Blame])] = []
      var ids: Set<ObjectID> = []
      func note(_ position: Position) throws {
        try store.projection("sizes").catchUp()
        let objects = try requests.flatMap { try store.fetch($0).rows }
        ids.formUnion(objects.map(\.id))
        states.append(
          (
            position, Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0) }),
            Dictionary(uniqueKeysWithValues: try objects.map { ($0.id, try store.blame(of: $0.id)) })
          ))
      }
      let author = try store.write { try $0.insert("Author", ["name": "Emma"]) }
      var revisions: [ObjectID] = []
      for number in 0..<10 {
        let position = try store.write { tx in
          let id = try tx.insert(
            "Revision", ["month": .string("\(number % 3)"), "size": .integer(Int64(number))])
          if number % 2 == 0 { try tx.relate(id, "author", to: author) }
          revisions.append(id)
          return tx.position
        }
        try note(position)
      }
      // Links to what is deleted read as nil, and a key keeps the identity.
      try note(
        store.write { tx in
          try tx.delete(revisions[9])
          return tx.position
        })
      try note(
        store.write { tx in
          try tx.delete(author)
          return tx.position
        })
      for state in states {
        let past = store.at(state.position)
        for id in ids {
          #expect(try past.get(id) == state.objects[id])
          guard let object = state.objects[id] else {
            #expect(throws: StoreError.self) { try past.require(id) }
            #expect(throws: StoreError.self) { try past.blame(of: id) }
            continue
          }
          #expect(try past.require(id) == object)
          let (blame, former) = (try past.blame(of: id), try #require(state.blames[id]))
          #expect(blame.lines == former.lines && blame.position == state.position)
          #expect(try past.read { try $0.get(id) } == object)
        }
        #expect(try past.get(revisions[0])?.id == revisions[0])
      }
      #expect(try store.at(1).get(#require(ids.first)) == nil)
    }
  }
}
