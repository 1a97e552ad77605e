import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Links over relationships that are their own inverses: undo, the past, contexts, and what the checks find.
@Suite(.hangLimit) struct MirroredHistoryTests {
  private func partners(_ store: Store) throws -> [Int?] {
    try People.ids.prefix(5).map { id in
      try store.get(id).flatMap { $0.target("partner") }.map(People.number)
    }
  }

  @Test func undoAndRedoRestoreTheFormerPartners() throws {
    try People.with { store, ids in
      try store.write { tx in
        try tx.relate(ids[3], "partner", to: ids[1])
        try tx.relate(ids[0], "partner", to: ids[2])
      }
      try store.write { try $0.relate(ids[3], "partner", to: ids[0]) }
      #expect(try partners(store) == [3, nil, nil, 0, nil])
      try store.undo(.last())
      #expect(try partners(store) == [2, 3, 0, 1, nil])
      #expect(try People.links(store, at: store.position).count == 3)
      try store.redo(.last())
      #expect(try partners(store) == [3, nil, nil, 0, nil])
      try store.undo(.last())
      try store.undo(.last())
      #expect(try partners(store) == [nil, nil, nil, nil, nil])
    }
  }

  @Test(arguments: [(1, 3), (3, 1)]) func anUndoConflictsWithALaterPartnerOfEither(one: Int, other: Int) throws {
    for taken in [one, other] {
      try People.with { store, ids in
        try store.write { try $0.relate(ids[one], "partner", to: ids[other]) }
        try store.write { try $0.unrelate(ids[one], "partner", from: ids[other]) }
        let undone = try store.position
        try store.write { try $0.relate(ids[taken], "partner", to: ids[4]) }
        let error = #expect(throws: StoreError.self) { try store.undo(.commit(undone)) }
        #expect(error?.code == .conflict)
        let conflicts = error?.message.split(separator: "\n").dropFirst() ?? []
        #expect(conflicts.count == 1, "\(conflicts)")
        #expect(conflicts.first?.contains("commit \(undone.next): Person \(ids[taken]): partner is") == true)
        try store.undo(.commit(undone), options: .force)
        #expect(try partners(store)[one] == other && partners(store)[4] == nil)
      }
    }
  }

  @Test func aRevivedObjectGetsItsLinksBack() throws {
    try People.with { store, ids in
      try store.write { tx in
        try tx.relate(ids[3], "partner", to: ids[1])
        for other in [0, 3, 4] { try tx.relate(ids[3], "friends", to: ids[other]) }
      }
      try store.write { try $0.delete(ids[3]) }
      try store.write { try $0.relate(ids[1], "partner", to: ids[2]) }
      try store.undo(.commit(store.position))
      try store.undo(.last())
      #expect(try People.targets(store, ids[3], "friends") == [ids[0], ids[3], ids[4]])
      #expect(try partners(store) == [nil, 3, nil, 1, nil])
    }
  }

  @Test func blameNamesTheCommitAtBothObjects() throws {
    try People.with { store, ids in
      try store.write(author: "x") { try $0.relate(ids[3], "partner", to: ids[1]) }
      let position = try store.position
      try store.write { try $0.set(ids[1], ["age": 5]) }
      for id in [ids[1], ids[3]] {
        let line = try store.blame(of: id).lines.first { $0.name == "partner" }
        #expect(line?.position == position && line?.author == "x")
      }
    }
  }

  // MARK: Contexts

  private func conflicts(_ context: EditingContext) throws -> [EditingConflict] {
    do {
      try context.save()
      return []
    } catch let error as StoreError where error.code == .conflict {
      return error.editingConflicts
    }
  }

  @Test(arguments: [(1, 3), (3, 1)]) func aPartnerThatOthersTookIsAConflict(one: Int, other: Int) throws {
    for policy in [ConflictPolicy.mine, .theirs] {
      try People.with { store, ids in
        let context = try store.makeContext()
        try context.relate(ids[one], "partner", to: ids[other])
        try store.write { try $0.relate(ids[4], "partner", to: ids[other]) }
        let found = try conflicts(context)
        #expect(found.map(\.object) == [ids[other]])
        #expect(found.map(\.kind) == [.target("partner", mine: ids[one], theirs: ids[4])])
        try context.save(resolving: policy)
        #expect(try partners(store)[other] == (policy.isTheirs ? 4 : one))
        #expect(try partners(store)[one] == (policy.isTheirs ? nil : other))
      }
    }
  }

  @Test(arguments: [(1, 3), (3, 1)]) func anEndedLinkConflictsWithANewPartnerOfEither(one: Int, other: Int) throws {
    for (taken, policy) in [(one, ConflictPolicy.mine), (other, .mine), (one, .theirs), (other, .theirs)] {
      try People.with { store, ids in
        try store.write { try $0.relate(ids[one], "partner", to: ids[other]) }
        let context = try store.makeContext()
        try context.unrelate(ids[one], "partner", from: ids[other])
        try store.write { try $0.relate(ids[taken], "partner", to: ids[4]) }
        let found = try conflicts(context)
        #expect(found.map(\.object) == [ids[taken]])
        #expect(found.map(\.kind) == [.target("partner", mine: nil, theirs: ids[4])])
        try context.save(resolving: policy)
        #expect(try partners(store)[taken] == (policy.isTheirs ? 4 : nil))
      }
    }
  }

  @Test func theSameLinkFromBothSidesIsNoConflict() throws {
    try People.with { store, ids in
      let context = try store.makeContext()
      try context.relate(ids[3], "partner", to: ids[1])
      try context.relate(ids[0], "friends", to: ids[2])
      try store.write { tx in
        try tx.relate(ids[1], "partner", to: ids[3])
        try tx.relate(ids[2], "friends", to: ids[0])
      }
      let head = try store.position
      #expect(try conflicts(context).isEmpty)
      #expect(try store.position == head)
    }
  }

  @Test func aContextShowsBothObjectsAndUndoesItsEdits() throws {
    try People.with { store, ids in
      try store.write { try $0.relate(ids[3], "partner", to: ids[1]) }
      let context = try store.makeContext()
      try context.relate(ids[0], "partner", to: ids[3])
      #expect(try context.get(ids[0])?.target("partner") == ids[3])
      #expect(try context.get(ids[1])?.target("partner") == nil)
      #expect(try context.undo())
      #expect(try context.get(ids[1])?.target("partner") == ids[3])
      #expect(try context.redo())
      try context.save()
      #expect(try partners(store) == [3, nil, nil, 0, nil])
    }
  }

  // MARK: Checks

  /// Changes the first link event of a relationship's kind in the journal, and recomputes all hashes.
  private func faults(_ change: (EventKind, inout LinkChange?) -> Bool) throws -> [String] {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: People.model)
    let ids = People.ids
    try store.write { try People.insert(Array(ids.prefix(5)), $0) }
    try store.write { tx in
      try tx.relate(ids[1], "partner", to: ids[3])
      try tx.relate(ids[2], "friends", to: ids[3])
    }
    try store.write { try $0.relate(ids[1], "partner", to: ids[4]) }
    store.close()
    try RawStore.rewrite(path) { commits in
      for index in commits.indices.reversed() where !commits[index].header.isModel {
        let body = try EventRewriting(commits[index]).body { kind, link, _, _ in change(kind, &link) }
        guard let body else { continue }
        commits[index] = PendingCommit(header: commits[index].header, body: body)
        return
      }
      Issue.record("No commit has such an event.")
    }
    return try Store.verify(at: path).faults.map(\.message)
  }

  @Test func verifyFindsAnOwnerThatIsNotTheLesserObject() throws {
    let found = try faults { kind, link in
      guard kind == .related, link?.to == People.ids[4] else { return false }
      link?.to = People.ids[0]
      return true
    }
    #expect(found.contains { $0.contains("as the owner of a link of Person.partner") }, "\(found)")
  }

  @Test func verifyFindsASecondPartner() throws {
    let found = try faults { kind, link in
      guard kind == .unrelated, link?.from == People.ids[3] else { return false }
      link?.from = People.ids[2]
      return true
    }
    #expect(found.contains { $0.contains("is wrong about whether Person.partner has") }, "\(found)")
    #expect(found.contains { $0.contains("a target that has a partner already") }, "\(found)")
  }
}
