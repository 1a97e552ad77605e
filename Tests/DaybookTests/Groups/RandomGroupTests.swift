import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

@Suite("Random groups", .hangLimit) struct RandomGroupTests {
  @Test("Groups at any position, their differences and their live results are what a plain evaluation has")
  func random() throws { try run(declaring: 0...0) }

  @Test("Groups that the model declares are kept as a plain evaluation has them, and by every way of building them")
  func kept() throws { try run(declaring: 1...3) }

  private func run(declaring count: ClosedRange<Int>) throws {
    try SeededRandom.run(Rounds.of(40)) { random in
      let groups = GroupWorld.declarations(random.number(count), &random)
      let (first, later) = (groups.filter { _ in random.isOneIn(2) }, groups)
      try withTemporaryStore(GroupWorld.model(first)) { store in
        var world = GroupWorld(store, random)
        for _ in 0..<3 { try world.writeCommit() }
        // The others are built of the objects that are there by then.
        try store.apply(GroupWorld.model(later))
        world.declared = later
        let requests = (0..<6).map { _ in world.request() }
        var lives: [LiveResults<Group<StoredObject>>] = []
        for request in requests {
          lives.append(try store.liveResults(of: request, granularity: random.isOneIn(2) ? .coalesced : .everyCommit))
        }
        for _ in 0..<12 {
          for _ in 0..<random.number(1...3) { try world.writeCommit() }
          for (request, live) in zip(requests, lives) where random.isOneIn(2) {
            try world.check(live, request)
          }
        }
        // Some positions of the past are read from a snapshot, before or after the model's change.
        for _ in 0..<random.number(0...2) {
          _ = try store.makeSnapshot(at: Position(UInt64(random.number(1...Int(store.position.number)))))
        }
        for request in requests { try world.checkPast(of: request, random.seed) }
        let verification = try store.verify()
        #expect(verification.isSound, "seed \(random.seed): \(verification)")
      }
    }
  }
}

/// Items in boxes in rooms, which random commits change, and a plain evaluation of groups.
private struct GroupWorld {
  static let model = model([])

  static func model(_ groups: [GroupDeclaration]) -> Model {
    Model(entities: [
      Entity(
        name: "Room",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true, order: .caseInsensitive),
          Attribute(name: "size", type: .double, isOptional: true),
        ], relationships: [Relationship(name: "boxes", target: "Box", inverse: "room", isMany: true)]),
      Entity(
        name: "Box", attributes: [Attribute(name: "label", type: .string, isOptional: true)],
        relationships: [
          Relationship(name: "room", target: "Room", inverse: "boxes", isOptional: true),
          Relationship(name: "items", target: "Item", inverse: "box", isMany: true),
        ]),
      Entity(
        name: "Item",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true),
          Attribute(name: "number", type: .integer, isOptional: true),
          Attribute(name: "ratio", type: .double, isOptional: true),
          Attribute(name: "price", type: .decimal, isOptional: true),
          Attribute(name: "flag", type: .boolean, isOptional: true),
          Attribute(name: "day", type: .date, isOptional: true),
        ], relationships: [Relationship(name: "box", target: "Box", inverse: "items", isOptional: true)],
        indexes: [Index([SortTerm(path: ["number"])])], groups: groups),
    ])
  }

  /// Makes declarations of groups with other keys each.
  static func declarations(_ count: Int, _ random: inout SeededRandom) -> [GroupDeclaration] {
    (0..<count).map { number in
      GroupDeclaration("kept\(number)", by: drawnKeys(random.pick([1, 1, 2, 3]), &random), show: drawnValues(&random))
    }
  }

  private static func drawnKeys(_ count: Int, _ random: inout SeededRandom) -> [String] {
    var keys = [
      "name", "number", "ratio", "flag", "day.month", "day.week", "day.year", "name.initial", "box.label",
      "box.room.name",
      "box.room.size", "box", "price", "day",
    ]
    keys.shuffle(using: &random)
    return Array(keys.prefix(count))
  }

  private static func drawnValues(_ random: inout SeededRandom) -> [String] {
    var values = ["count"]
    for function in ["sum", "average", "min", "max", "distinct", "first", "last"] where random.isOneIn(2) {
      let paths =
        function == "sum" || function == "average"
        ? ["number", "ratio", "price", "box.room.size"] : ["number", "name", "day", "box.room.name", "ratio", "flag"]
      values.append("\(function):\(random.pick(paths))")
    }
    return values
  }

  let store: Store
  var random: SeededRandom
  var ids: [String: [ObjectID]] = [:]
  /// The groups that the model declares.
  var declared: [GroupDeclaration] = []

  init(_ store: Store, _ random: SeededRandom) {
    (self.store, self.random) = (store, random)
  }

  // MARK: Commits

  mutating func writeCommit() throws {
    var (random, ids) = (random, ids)
    try store.write { tx in
      for _ in 0..<random.number(1...6) {
        let entity = random.pick(["Item", "Item", "Item", "Box", "Room"])
        let known = ids[entity, default: []]
        switch known.count < 3 ? 0 : random.number(0...9) {
        case 0...3: ids[entity, default: []].append(try tx.insert(entity, GroupWorld.values(of: entity, &random)))
        case 4, 5: try tx.set(random.pick(known), GroupWorld.values(of: entity, &random))
        case 6 where known.count > 4:
          let id = random.pick(known)
          try tx.delete(id)
          ids[entity]?.removeAll { $0 == id }
        default:
          guard entity != "Room" else { continue }
          let (name, target) = entity == "Item" ? ("box", "Box") : ("room", "Room")
          let source = random.pick(known)
          if let present = try tx.targets(of: source, name).first { try tx.unrelate(source, name, from: present) }
          if let other = ids[target]?.randomElement(using: &random), !random.isOneIn(5) {
            try tx.relate(source, name, to: other)
          }
        }
      }
    }
    (self.random, self.ids) = (random, ids)
  }

  private static func values(of entity: String, _ random: inout SeededRandom) -> [String: Value] {
    var values: [String: Value] = [:]
    for attribute in model.entities.first(where: { $0.name == entity })!.attributes where random.isOneIn(2) {
      values[attribute.name] = random.isOneIn(6) ? .null : value(attribute.type!, &random)
    }
    return values
  }

  private static func value(_ type: AttributeType, _ random: inout SeededRandom) -> Value {
    switch type {
    case .string: .string(random.pick(["", "a", "A", "b", "B", "éa", "9", "ab"]))
    case .integer: .integer(Int64(random.number(-3...3)))
    case .double: .double(random.pick([0, 0.1, 0.2, 0.3, -0.1, 1e17, -1e17, 1e-300, 2.5]))
    case .decimal: .decimal(random.pick([0, 1, -1, 2, 10]))
    case .boolean: .boolean(random.isOneIn(2))
    default: .date(Timestamp(microseconds: Int64(random.number(-3...3)) * 86_400_000_000 * 20))
    }
  }

  // MARK: Requests

  mutating func request() -> Request<Group<StoredObject>> {
    let kept = random.isOneIn(4) ? nil : declared.randomElement(using: &random)
    let chosen = kept?.keys ?? GroupWorld.drawnKeys(random.pick([0, 1, 1, 1, 2, 3]), &random)
    var values = kept?.values ?? GroupWorld.drawnValues(&random)
    if kept != nil {
      // Fewer values, or in another order.
      if random.isOneIn(3) { values.shuffle(using: &random) }
      values = Array(values.prefix(random.number(1...values.count)))
    }
    var objects = Request(entity: "Item")
    if kept == nil, random.isOneIn(3) {
      objects.filter = try! Filter(parsing: random.pick(["number > -2", "box.label != nil", "flag == true"]))
    }
    if kept == nil, random.isOneIn(2) {
      objects.sort = [try! SortTerm(parsing: random.pick(["number:desc", "box.room.name", "day"]))]
    }
    var request = try! objects.grouped(by: chosen, showing: values)
    if random.isOneIn(3) {
      request = try! request.having(
        random.pick(values.contains("count") ? ["count > 1", "count < 4"] : ["`\(values[0])` != nil"])
      )
    }
    if random.isOneIn(2) {
      request.sort = [try! SortTerm(parsingGroups: random.pick(values) + random.pick(["", ":desc"]))]
    }
    if random.isOneIn(3) { (request.limit, request.offset) = (random.number(1...4), random.number(0...2)) }
    if random.isOneIn(3), let key = chosen.first {
      request.section = try! SectionKey(parsing: key)
    }
    return request
  }

  // MARK: Checks

  /// A group as text: its key and values, with the exact bits of doubles.
  private func text(_ group: Group<StoredObject>) -> String {
    "\(group.key) " + group.values.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
  }

  /// Returns the groups of a request at a position, unordered, as texts.
  private func plainGroups(_ request: Request<Group<StoredObject>>, at position: Position) throws -> Set<String> {
    let grouping = try #require(request.fetch.grouping)
    var objects = Request<StoredObject>(request.untyped.fetch)
    (objects.fetch.grouping, objects.section, objects.limit, objects.offset) = (nil, nil, nil, 0)
    objects.sort = grouping.order
    let past = store.at(position)
    var members: [[Value]: [[String: Value]]] = [:]
    if grouping.keys.isEmpty { members[[]] = [] }
    let paths = Set(grouping.keys.map(\.path) + grouping.values.compactMap(\.path))
    for object in try past.fetch(objects).rows {
      var read: [String: Value] = [:]
      for path in paths {
        var (holder, end): (StoredObject?, Value?) = (object, nil)
        for name in path {
          guard let present = holder else { break }
          if let value = present.values.first(where: { $0.name == name }) {
            end = value.value
          } else {
            let target = present.target(name)
            end = target.map { .uuid($0) } ?? .null
            holder = try target.flatMap { try past.get($0) }
            if holder == nil { end = .null }
          }
        }
        read[path.joined(separator: ".")] = end ?? .null
      }
      let key = grouping.keys.map { key in plain(read[key.path.joined(separator: ".")]!, key.transform) }
      members[key, default: []].append(read)
    }
    return Set(
      members.map { key, rows in
        "\(key) "
          + grouping.values.map { value in
            let name = value.path?.joined(separator: ".") ?? ""
            let all = rows.map { $0[name] ?? .null }
            return "\(value.name)=\(plain(value.function, all, path: name))"
          }.joined(separator: " ")
      })
  }

  private func plain(_ value: Value, _ transform: SectionKey.Transform) -> Value {
    switch (value, transform) {
    case (.date(let time), .month): .string(String("\(CivilDate(time).dayText)".prefix(7)))
    case (.date(let time), .year): .string(String("\(CivilDate(time).dayText)".prefix(4)))
    case (.date(let time), .week): .string(CivilDate(time).weekText)
    case (.string(let text), .initial):
      text.isEmpty ? .null : .string(text.first!.isLetter ? text.prefix(1).uppercased() : "#")
    default: value
    }
  }

  private func plain(_ function: Accumulator.Function, _ all: [Value], path: String) -> Value {
    let present = all.filter { !$0.isNull }
    let type: AttributeType = path.hasSuffix("number") ? .integer : path.hasSuffix("price") ? .decimal : .double
    let order: StringOrder = path == "box.room.name" ? .caseInsensitive : .codepoint
    let sorted = present.sorted { ValueOrder.compare($0, $1, order: order) < 0 }
    return switch function {
    case .count: .integer(Int64(all.count))
    case .sum: PlainSum(present).sum(as: type) ?? .null
    case .average: PlainSum(present).average(of: type) ?? .null
    case .minimum: sorted.first ?? .null
    case .maximum: sorted.last ?? .null
    case .distinct: .integer(Int64(Set(present).count))
    case .first: all.first ?? .null
    case .last: all.last ?? .null
    }
  }

  /// Checks that live results, after they move to the head, are the fetched ones, and that the difference leads there.
  func check(_ live: LiveResults<Group<StoredObject>>, _ request: Request<Group<StoredObject>>) throws {
    while true {
      let before = try live.fetched()
      guard let change = try live.update() else { break }
      let after = try live.fetched()
      try checkStep(before, after, change, request)
      #expect(after == (try store.at(change.to).fetch(request)).at(after.position), "seed \(random.seed): \(request)")
    }
    let fetched = try store.fetch(request)
    #expect(try live.fetched().rows.map(text) == fetched.rows.map(text), "seed \(random.seed): \(request)")
  }

  private func checkStep(
    _ before: Results<Group<StoredObject>>, _ after: Results<Group<StoredObject>>,
    _ change: Change<Difference<Group<StoredObject>.ID>>, _ request: Request<Group<StoredObject>>
  ) throws {
    let applied = try before.ids.applying(change.difference)
    #expect(applied == after.ids, "seed \(random.seed): \(request)")
    let old = Dictionary(uniqueKeysWithValues: before.rows.map { ($0.id, $0) })
    let touched = Set(change.difference.rows.map(\.id))
    for row in after.rows {
      guard let former = old[row.id] else { continue }
      #expect(former == row || touched.contains(row.id), "seed \(random.seed): \(request), \(row)")
    }
    for row in change.difference.rows {
      if case .update(let id, _, _) = row {
        #expect(old[id] != after.rows.first { $0.id == id }, "seed \(random.seed): \(request)")
      }
      let key = try #require(change.key(of: row.id))
      let group = after.rows.first { $0.id == row.id } ?? old[row.id]
      if let group { #expect(group.key == key, "seed \(random.seed): \(request)") }
    }
  }

  /// Checks results at all positions, and differences between random ones.
  mutating func checkPast(of request: Request<Group<StoredObject>>, _ seed: UInt64) throws {
    let head = try store.position
    var whole = request
    (whole.limit, whole.offset, whole.sort, whole.section) = (nil, 0, [], nil)
    whole.fetch.grouping?.having = nil
    for number in 1...head.number {
      let position = Position(number)
      let groups = try store.at(position).fetch(whole).rows
      #expect(try Set(groups.map(text)) == plainGroups(whole, at: position), "seed \(seed): \(whole) at \(position)")
    }
    for _ in 0..<8 {
      let (from, to) = (
        Position(UInt64(random.number(1...Int(head.number)))), Position(UInt64(random.number(1...Int(head.number))))
      )
      let change = try store.difference(of: request, from: from, to: to)
      try checkStep(store.at(from).fetch(request), store.at(to).fetch(request), change, request)
    }
    var replay = try store.replay(of: request)
    var shown = SectionedIDs<Group<StoredObject>.ID>(
      sections: request.section == nil ? [ListSection(name: "", rows: [])] : [])
    var last: Position = .empty
    while let change = try replay.next() {
      shown = try shown.applying(change.difference)
      #expect(change.from >= last && !change.isReset)
      last = change.to
      #expect(try shown == store.at(change.to).fetch(request).ids, "seed \(seed): \(request) at \(change.to)")
    }
  }
}

private extension Results {
  /// The same result, as of another position.
  func at(_ position: Position) -> Results { Results(position: position, sections: sections) }
}
