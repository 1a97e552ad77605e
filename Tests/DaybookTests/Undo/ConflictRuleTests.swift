import DaybookEngine
import DaybookTestSupport
import Testing

@testable import Daybook

/// One question, put to a revert, an undo and an editing context: each has a base, a present and a wanted state, and all
/// three give the same answer.
@Suite(.hangLimit) struct ConflictRuleTests {
  private typealias Act = (World, borrowing Transaction) throws -> Void

  private struct World {
    static let model = Model(entities: [
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true),
          Attribute(name: "note", type: .string, isOptional: true),
        ],
        relationships: [
          Relationship(name: "group", target: "Group", inverse: "members", isOptional: true),
          Relationship(name: "tags", target: "Tag", inverse: "persons", isMany: true),
          Relationship(name: "partner", target: "Person", inverse: "partnerOf", isOptional: true),
          Relationship(name: "partnerOf", target: "Person", inverse: "partner", isOptional: true),
        ]),
      Entity(
        name: "Group", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "members", target: "Person", inverse: "group", isMany: true)
        ]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "persons", target: "Person", inverse: "tags", isMany: true)
        ]),
    ])

    let store: Store
    let person: ObjectID
    let others: [ObjectID]
    let groups: [ObjectID]
    let tag: ObjectID
    /// The identity of an object that an act may insert.
    let newcomer = ObjectID(high: 7, low: 7)

    init(_ store: Store) throws {
      self.store = store
      (person, others, groups, tag) = try store.write { tx in
        (
          try tx.insert("Person", ["name": "a"]),
          try ["x", "y", "z"].map { try tx.insert("Person", ["name": .string($0)]) },
          try ["g", "h", "i"].map { try tx.insert("Group", ["name": .string($0)]) }, try tx.insert("Tag", ["name": "t"])
        )
      }
    }
  }

  private enum Way: CaseIterable { case revert, undo, save }

  /// Leads a store to the base by a commit, lets others change it, and takes the change back in one way.
  ///
  /// - Parameters:
  ///   - change: Leads from the wanted state to the base, in the commit that is undone.
  ///   - edits: Leads from the base to the wanted state, in a context.
  ///   - theirs: Leads from the base to the present state, in a commit of others.
  ///   - check: Receives whether the way was refused as a conflict.
  private func answer(
    _ way: Way, from start: Act, _ change: Act, back edits: Act, theirs: Act,
    _ check: (World, _ isRefused: Bool) throws -> Void
  ) throws {
    try withTemporaryStore(World.model) { store in
      let world = try World(store)
      try store.write { try start(world, $0) }
      try store.write(author: "mine") { try change(world, $0) }
      let position = try store.position
      let context = try store.makeContext()
      if way == .save { try context.edit { try edits(world, $0) } }
      try store.write(author: "others") { try theirs(world, $0) }
      var isRefused = false
      do {
        switch way {
        case .revert: try store.undo(.commit(position))
        case .undo: try store.undo(.last(of: "mine"))
        case .save: try context.save()
        }
      } catch let error as StoreError where error.code == .conflict {
        isRefused = true
      }
      try check(world, isRefused)
    }
  }

  /// Compares all three ways with the rule, for each three states of a fact.
  ///
  /// - Parameters:
  ///   - states: The states of the fact.
  ///   - write: Gives the fact a state.
  ///   - read: Returns its state.
  private func compare<State: Hashable & Sendable>(
    _ states: [State], _ write: @escaping (State, World, borrowing Transaction) throws -> Void,
    _ read: (World) throws -> State
  ) throws {
    for way in Way.allCases {
      for base in states {
        for present in states {
          for wanted in states {
            let rule = ThreeWayComparison(base: base, present: present, wanted: wanted)
            // Each side passes another state on its way, so that only the ends can count.
            func lead(_ from: State, to state: State) -> Act {
              return { world, tx in
                for passed in states where passed != from && passed != state { try write(passed, world, tx) }
                if from == state, states.count == 2 { try write(states.first { $0 != state }!, world, tx) }
                try write(state, world, tx)
              }
            }
            let start: Act = { try write(wanted, $0, $1) }
            try answer(
              way, from: start, lead(wanted, to: base), back: lead(base, to: wanted),
              theirs: lead(base, to: present)
            ) { (world, isRefused) throws in
              let question = "\(way): \(base), \(present), \(wanted)"
              #expect(isRefused == (rule == .conflict), "\(question)")
              #expect(try read(world) == (rule == .apply ? wanted : present), "\(question)")
            }
          }
        }
      }
    }
  }

  @Test func anAttributeIsJudgedAlike() throws {
    try compare([Value.null, "b", "c"]) { value, world, tx in
      try tx.set(world.person, ["note": value])
    } _: { (world) throws in
      try world.store.get(world.person)?["note"] ?? .null
    }
  }

  @Test func aTargetIsJudgedAlike() throws {
    try compare([nil, 0, 1]) { (number: Int?, world, tx) in
      guard let number else {
        guard let target = try tx.targets(of: world.person, "group").first else { return }
        return try tx.unrelate(world.person, "group", from: target)
      }
      try tx.relate(world.person, "group", to: world.groups[number])
    } _: { (world) throws in
      try world.store.get(world.person)?.target("group").flatMap { world.groups.firstIndex(of: $0) }
    }
  }

  @Test func aLinkIsJudgedAlike() throws {
    try compare([false, true]) { isLinked, world, tx in
      if isLinked {
        try tx.relate(world.person, "tags", to: world.tag)
      } else if try tx.targets(of: world.person, "tags").contains(world.tag) {
        try tx.unrelate(world.person, "tags", from: world.tag)
      }
    } _: { (world) throws in
      try world.store.read { try $0.targets(of: world.person, "tags").contains(world.tag) }
    }
  }

  @Test func aPartnerThatOthersTookIsAConflictOfAll() throws {
    for way in Way.allCases {
      for (taker, isConflict) in [(1, true), (nil, false)] {
        try answer(way) {
          try $1.relate($0.others[0], "partner", to: $0.person)
        } _: {
          try $1.unrelate($0.others[0], "partner", from: $0.person)
        } back: {
          try $1.relate($0.others[0], "partner", to: $0.person)
        } theirs: {
          try $1.relate($0.others[1], "partner", to: $0.person)
          if taker == nil { try $1.unrelate($0.others[1], "partner", from: $0.person) }
        } _: { (world, isRefused) throws in
          #expect(isRefused == isConflict, "\(way)")
          #expect(try world.store.get(world.person)?.target("partnerOf") == world.others[taker ?? 0])
        }
      }
    }
  }

  @Test func aDeletionIsJudgedAlike() throws {
    let cases: [(name: String, isConflict: Bool, theirs: Act)] = [
      ("another object", false, { try $1.set($0.person, ["note": "x"]) }),
      ("a value", true, { try $1.set($0.newcomer, ["note": "x"]) }),
      (
        "a value and back", false,
        {
          try $1.set($0.newcomer, ["name": "x"])
          try $1.set($0.newcomer, ["name": "new"])
        }
      ),
      ("a link of the object", true, { try $1.relate($0.newcomer, "tags", to: $0.tag) }),
      ("a link to the object", true, { try $1.relate($0.others[0], "partner", to: $0.newcomer) }),
      ("another target", true, { try $1.relate($0.newcomer, "group", to: $0.groups[1]) }),
      ("a lost link", false, { try $1.unrelate($0.newcomer, "group", from: $0.groups[0]) }),
      ("a link lost with its target", false, { try $1.delete($0.groups[0]) }),
      (
        "a link and back", false,
        {
          try $1.relate($0.others[0], "partner", to: $0.newcomer)
          try $1.unrelate($0.others[0], "partner", from: $0.newcomer)
        }
      ),
      (
        "a link of an object that is gone", false,
        {
          try $1.relate($0.others[0], "partner", to: $0.newcomer)
          try $1.delete($0.others[0])
        }
      ),
      ("deleted too", false, { try $1.delete($0.newcomer) }),
      (
        "inserted again alike", false,
        {
          try $1.delete($0.newcomer)
          try $1.insert("Person", ["name": "new"], id: $0.newcomer)
        }
      ),
      (
        "inserted again otherwise", true,
        {
          try $1.delete($0.newcomer)
          try $1.insert("Person", ["name": "newer"], id: $0.newcomer)
        }
      ),
    ]
    for way in Way.allCases {
      for (name, isConflict, theirs) in cases {
        try answer(way) {
          try $1.set($0.person, ["note": "start"])
        } _: {
          try $1.insert("Person", ["name": "new"], id: $0.newcomer)
          try $1.relate($0.newcomer, "group", to: $0.groups[0])
        } back: {
          try $1.delete($0.newcomer)
        } theirs: {
          try theirs($0, $1)
        } _: { (world, isRefused) throws in
          #expect(isRefused == isConflict, "\(way): \(name)")
          #expect(try (world.store.get(world.newcomer) != nil) == isConflict, "\(way): \(name)")
        }
      }
    }
  }

  @Test func anInsertionIsJudgedAlike() throws {
    let cases: [(name: String, isThere: Bool, theirs: Act)] = [
      ("another object", true, { try $1.set($0.person, ["note": "x"]) }),
      (
        "inserted and deleted", true,
        {
          try $1.insert("Person", ["name": "theirs"], id: $0.newcomer)
          try $1.delete($0.newcomer)
        }
      ),
      ("inserted alike", true, { try $1.insert("Person", ["name": "new"], id: $0.newcomer) }),
    ]
    for way in Way.allCases {
      for (name, isThere, theirs) in cases {
        try answer(way) {
          try $1.insert("Person", ["name": "new"], id: $0.newcomer)
        } _: {
          try $1.delete($0.newcomer)
        } back: {
          try $1.insert("Person", ["name": "new"], id: $0.newcomer)
        } theirs: {
          try theirs($0, $1)
        } _: { (world, isRefused) throws in
          #expect(!isRefused, "\(way): \(name)")
          #expect(try world.store.get(world.newcomer)?["name"] == (isThere ? "new" : nil), "\(way): \(name)")
        }
      }
    }
  }

  @Test func aChangeOfAnObjectThatIsGoneIsAConflictOfAllUnlessItCancelsOut() throws {
    for way in Way.allCases {
      for isNet in [true, false] {
        try answer(way) {
          try $1.set($0.person, ["note": "x"])
        } _: {
          try $1.set($0.person, ["note": "y"])
          if !isNet { try $1.set($0.person, ["note": "x"]) }
        } back: {
          try $1.set($0.person, ["note": "z"])
          try $1.set($0.person, ["note": "x"])
        } theirs: {
          try $1.delete($0.person)
        } _: { (world, isRefused) throws in
          #expect(isRefused == isNet, "\(way)")
          #expect(try world.store.get(world.person) == nil)
        }
      }
    }
  }

  /// A context has only what others stated against it; an undo restores a state, of which the target is a part.
  @Test func aTargetThatWasLostWithItsObjectIsAConflictOfRevertAndUndoAlone() throws {
    for way in Way.allCases {
      try answer(way) {
        try $1.relate($0.person, "group", to: $0.groups[0])
      } _: {
        try $1.relate($0.person, "group", to: $0.groups[1])
      } back: {
        try $1.relate($0.person, "group", to: $0.groups[0])
      } theirs: {
        try $1.delete($0.groups[1])
      } _: { (world, isRefused) throws in
        #expect(isRefused == (way != .save))
        #expect(try world.store.get(world.person)?.target("group") == (way == .save ? world.groups[0] : nil))
      }
    }
  }
}
