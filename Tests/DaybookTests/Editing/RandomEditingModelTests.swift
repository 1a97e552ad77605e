import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Contexts over a store whose models rename attributes, exchange their names and give them to others, compared with values
/// that are kept by the identity of each attribute.
@Suite(.hangLimit) struct RandomEditingModelTests {
  @Test(arguments: Seeds.shards) func editsStayWithTheirAttributes(shard: Int) throws {
    try Seeds.run(Rounds.of(120, "DAYBOOK_EDITED_MODELS"), shard: shard) { seed in
      try withTemporaryStore(Run.model(["a0", "a1", "a2"])) { store in
        var run = try Run(store: store, random: SeededRandom(seed: seed))
        for _ in 0..<8 { try run.session() }
      }
    }
  }

  private struct Run {
    /// The values of one object, by the numbers of the attributes.
    typealias Values = [Int: Value]

    let store: Store
    var random: SeededRandom
    /// The present names of the attributes, by their numbers.
    var names = ["a0", "a1", "a2"]
    /// Names that attributes had.
    var free: [String] = []
    var values: [ObjectID: Values] = [:]
    var nameCount = 3

    static func model(_ names: [String]) -> Model {
      Model(entities: [
        Entity(
          name: "Item",
          attributes: names.map { Attribute(name: $0, type: .integer, isOptional: true) })
      ])
    }

    init(store: Store, random: SeededRandom) throws {
      (self.store, self.random) = (store, random)
      let ids = try store.write { tx in try (0..<2).map { _ in try tx.insert("Item", [:], id: nil) } }
      for id in ids { values[id] = [:] }
    }

    /// The pending edits: for each, the value before it and the one that it set last.
    private typealias Edits = [ObjectID: [Int: (before: Value, mine: Value)]]

    mutating func session() throws {
      let context = try store.makeContext()
      var (ownNames, base, edits) = (names, values, Edits())
      for _ in 0..<random.number(1...10) {
        switch random.number(0...9) {
        case 0...3:
          let (id, number) = (random.pick(values.keys.sorted()), random.number(0...(ownNames.count - 1)))
          let (value, before) = (Value.integer(Int64(random.number(0...3))), base[id]?[number] ?? .null)
          try context.set(id, [ownNames[number]: value])
          let present = edits[id]?[number]?.mine ?? before
          if value != present { edits[id, default: [:]][number] = (before, value) }
        case 4, 5:
          let (id, number) = (random.pick(values.keys.sorted()), random.number(0...(names.count - 1)))
          let value = Value.integer(Int64(random.number(0...3)))
          try store.write { try $0.set(id, [self.names[number]: value]) }
          values[id]?[number] = value
        case 6...8: try changeModel()
        default:
          let isMine = random.isTrue(percent: 50)
          try context.rebase(resolving: isMine ? .mine : .theirs)
          let merged = merge(edits, isMine: isMine)
          edits = merged.edits
          (ownNames, base) = (names, values)
          for (id, fields) in merged.values {
            for (number, value) in fields {
              let shown = try context.get(id)?[names[number]]
              guard shown == value else { throw Mismatch("rebased, \(names[number]) is \(shown as Any), not \(value)") }
            }
          }
        }
      }
      let isMine = random.isTrue(percent: 50)
      try context.save(resolving: isMine ? .mine : .theirs)
      values = merge(edits, isMine: isMine).values
      let head = try store.position
      guard context.position == head else { throw Mismatch("the context is at \(context.position) after \(head)") }
      for (id, fields) in values {
        guard let object = try store.get(id) else { throw Mismatch("\(id) is gone") }
        for (number, name) in names.enumerated() where object[name] != fields[number] ?? .null {
          throw Mismatch("\(name) of \(id) is \(object[name]) instead of \(fields[number] ?? .null)")
        }
      }
    }

    /// Returns the values with the edits, and the edits that are left.
    private func merge(_ edits: Edits, isMine: Bool) -> (values: [ObjectID: Values], edits: Edits) {
      var (merged, left) = (values, Edits())
      for (id, fields) in edits {
        for (number, edit) in fields {
          let theirs = values[id]?[number] ?? .null
          let wins = theirs == edit.before || (edit.mine != edit.before && (isMine || theirs == edit.mine))
          guard wins else { continue }
          merged[id]?[number] = edit.mine
          if edit.mine != theirs { left[id, default: [:]][number] = (theirs, edit.mine) }
        }
      }
      return (merged, left)
    }

    private mutating func changeModel() throws {
      var present = try store.read { $0.model }
      let number = random.number(0...(names.count - 1))
      switch random.number(0...3) {
      case 0, 1:
        // A new name, or one that another attribute had.
        try rename(number, to: newName(), in: &present)
      case 2:
        let name = newName()
        present.entities[0].attributes.append(Attribute(name: name, type: .integer, isOptional: true))
        try store.apply(present)
        names.append(name)
      default:
        let other = random.number(0...(names.count - 1))
        guard other != number else { return }
        let (a, b) = (names[number], names[other])
        try rename(number, to: "spare", in: &present)
        try rename(other, to: a, in: &present)
        try rename(number, to: b, in: &present)
        free.removeAll { [a, b, "spare"].contains($0) }
      }
    }

    private mutating func newName() -> String {
      if !free.isEmpty, random.isTrue(percent: 60) { return free.remove(at: random.number(0...(free.count - 1))) }
      nameCount += 1
      return "a\(nameCount)"
    }

    private mutating func rename(_ number: Int, to name: String, in model: inout Model) throws {
      let old = names[number]
      let index = model.entities[0].attributes.firstIndex { $0.name == old }!
      model.entities[0].attributes[index].name = name
      model.entities[0].attributes[index].renamedFrom = old
      try store.apply(model)
      model = try store.read { $0.model }
      names[number] = name
      free.append(old)
    }
  }
}
