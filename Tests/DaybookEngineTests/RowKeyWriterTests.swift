import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookEngine

/// The keys of rows sort as the rows' values do, in requests and in indexes.
@Suite(.hangLimit) struct RowKeyWriterTests {
  /// Rows with an attribute of each type that sorts, in ordered groups.
  private static let model = Model(entities: [
    Entity(
      name: "Group", attributes: [Attribute(name: "name", type: .string, isOptional: true, order: .caseInsensitive)],
      relationships: [Relationship(name: "rows", target: "Row", inverse: "group", isMany: true, isOrdered: true)]),
    Entity(
      name: "Row",
      attributes: values.keys.sorted().map { name in
        Attribute(name: name, type: type(of: name), isOptional: true, order: order(of: name))
      },
      relationships: [Relationship(name: "group", target: "Group", inverse: "rows", isOptional: true)],
      indexes: [
        index("text"), index("text:desc", "integer"), index("double", "decimal:desc"), index("boolean", "date", "uuid"),
        index("group.name", "natural"), index("group.name:desc", "id:desc"), index("group", "changedAt:desc"),
        index("group.createdAt", "folded:desc", "text"),
      ]),
  ])

  /// Values of each attribute in ascending order; null comes before them.
  private static let values: [String: [Value]] = [
    "boolean": [false, true],
    "date": [-1, 0, 1, 4_000_000_000].map { .date(Timestamp(microseconds: $0)) },
    "decimal": ["-12", "-1.5", "-0.001", "0", "0.001", "1.5", "12"].map { .decimal(Decimal(string: $0)!) },
    "double": [-.infinity, -2.5, -1e-300, 0, 1e-300, 2.5, .infinity].map { .double($0) },
    "folded": ["", "a", "B", "b", "ba", "C"].map { .string($0) },
    "integer": [.min, -256, -1, 0, 1, 255, .max].map { .integer($0) },
    "natural": ["", "file", "file9", "file10", "file10a", "g"].map { .string($0) },
    "text": ["", "\0", "\0\u{1}", "A", "a", "a\0", "a\0b", "ab", long, long + "a", long + "b", "é"].map { .string($0) },
    "uuid": [0, 1, 256].map { .uuid(ObjectID(high: 0, low: $0)) },
  ]
  /// A string that fills the key of an index.
  private static let long = String(repeating: "m", count: SortKey.maximumTermsSize)

  private static func type(of name: String) -> AttributeType {
    ["folded", "natural", "text"].contains(name) ? .string : AttributeType(rawValue: name)!
  }

  private static func order(of name: String) -> StringOrder {
    name == "folded" ? .caseInsensitive : name == "natural" ? .natural : .codepoint
  }

  private static func index(_ terms: String...) -> Index {
    Index(
      terms.map { text in
        let words = text.split(separator: ":")
        return SortTerm(
          path: words[0].split(separator: ".").map(String.init), SortDirection(isDescending: words.count == 2))
      })
  }

  private let bench: EngineBench

  init() throws {
    bench = try EngineBench(Self.model)
  }

  /// Returns the identities of a request's rows by their keys, with the keys.
  private func rows(_ request: ResolvedRequest, in reader: Reader) throws -> [(key: [UInt8], id: ObjectID)] {
    var maker = SortedKeyMaker(request, reader: reader)
    var rows: [(key: [UInt8], id: ObjectID)] = []
    try reader.forEachObject(of: request.entity) { id, record in
      var key: [UInt8] = []
      _ = try maker.append(id, record, to: &key)
      rows.append((key, id))
      return true
    }
    return rows.sorted { precedes($0.key, $1.key) }
  }

  @Test(arguments: values.keys.sorted(), [false, true])
  func keysOfEachTypeSortAsItsValuesDo(name: String, isDescending: Bool) throws {
    let values = [.null] + Self.values[name]!
    // The identities descend, so that they cannot stand in for the values.
    let ids = values.map { _ in bench.makeID() }.reversed() as [ObjectID]
    try bench.commit { builder in
      for (id, value) in zip(ids, values) {
        try builder.carryOut(.insert(entity: "Row", values: value.isNull ? [] : [(name, value)], id: id))
      }
    }
    let request = try ResolvedRequest(
      FetchRequest(entity: "Row", sort: [SortTerm(path: [name], SortDirection(isDescending: isDescending))]),
      in: bench.model)
    let sorted = try bench.read { present, _ in try rows(request, in: present.reader).map(\.id) }
    #expect(sorted == (isDescending ? ids.reversed() : ids))
  }

  @Test func keysOfSeveralTermsSortAsTheRowsDo() throws {
    try Seeds.run(Rounds.of(10)) { seed in
      var random = SeededRandom(seed: seed)
      let groups = try fill(&random)
      for _ in 0..<20 {
        let request = try ResolvedRequest(request(groups, &random), in: bench.model)
        try bench.read { present, _ in
          var source = ReaderSource(reader: present.reader)
          let rows = try rows(request, in: present.reader)
          let sorted = try rows.map { row in
            (id: row.id, values: try request.sortValues(of: ObjectKey(entity: request.entity, id: row.id), in: &source))
          }
          .sorted { request.areInIncreasingOrder($0.values, $0.id, $1.values, $1.id) }
          #expect(rows.map(\.id) == sorted.map(\.id), "\(request.request), seed \(seed)")
        }
      }
    }
  }

  @Test func indexesHaveTheKeysOfRequestsButCutThem() throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      _ = try fill(&random)
      let entity = try bench.model.entities[bench.model.requireEntity("Row")]
      for (index, declared) in zip(entity.indexes.dropFirst(), Self.model.entities[1].indexes) {
        // The identity ends a request's order anyway; a request omits it as the last term, unless it descends.
        let terms = declared.terms.map { SortTerm(path: $0.path, $0.direction) }
        let request = try ResolvedRequest(FetchRequest(entity: "Row", sort: terms), in: bench.model)
        try bench.read { present, _ in
          var prefix: [UInt8] = []
          prefix.appendFixed(index.tag.number)
          let wanted = try rows(request, in: present.reader).map { row in
            let terms = row.key.dropLast(ObjectID.byteCount).prefix(SortKey.maximumTermsSize)
            return prefix + terms + row.key.suffix(ObjectID.byteCount)
          }
          .sorted(by: precedes)
          let keys = try keys(of: prefix, in: present.reader)
          #expect(keys == wanted, "\(declared), seed \(seed)")
        }
      }
    }
  }

  /// Returns the keys of the index rows with a prefix.
  private func keys(of prefix: [UInt8], in reader: Reader) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var cursor = try reader.makeCursor(in: .indexes)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan, limit: .prefix(prefix))
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      keys.append([UInt8](cursor.key))
      isValid = try cursor.advance()
    }
    return keys
  }

  /// Writes commits with groups and rows, whose values and links then change.
  ///
  /// - Returns: The groups.
  private func fill(_ random: inout SeededRandom) throws -> [ObjectID] {
    var groups: [ObjectID] = []
    var rows: [ObjectID] = []
    try bench.commit { builder in
      for name in ["a", "B", "b", Self.long, Self.long + "a"] {
        groups.append(bench.makeID())
        try builder.carryOut(.insert(entity: "Group", values: [("name", .string(name))], id: groups.last!))
      }
      for _ in 0..<30 {
        rows.append(bench.makeID())
        try builder.carryOut(.insert(entity: "Row", values: [], id: rows.last!))
      }
    }
    for _ in 0..<3 {
      try bench.commit { builder in
        for row in rows {
          let name = random.pick(Self.values.keys.sorted())
          try builder.carryOut(.set(row, values: [(name, random.pick([.null] + Self.values[name]!))]))
          let text = random.pick(Self.values["text"]!)
          try builder.carryOut(.set(row, values: [("text", text)]))
          guard random.isTrue(percent: 50) else { continue }
          let group = random.pick(groups)
          try builder.carryOut(.relate(group, relationship: "rows", to: row, at: .last))
        }
        try builder.carryOut(
          .set(random.pick(groups), values: [("name", random.pick([.null, "a", .string(Self.long + "b")]))]))
      }
    }
    return groups
  }

  private func request(_ groups: [ObjectID], _ random: inout SeededRandom) -> FetchRequest {
    let paths =
      Self.values.keys.sorted().map { [$0] } + [
        ["group"], ["group", "name"], ["group", "createdAt"], ["changedAt"], ["id"],
      ]
    var request = FetchRequest(entity: "Row")
    for _ in 0..<random.number(1...3) {
      let isDescending = random.isTrue(percent: 50)
      let nils = random.isOneIn(3) ? random.pick(EndPlacement.allCases) : nil
      request.sort.append(
        random.isOneIn(6)
          ? SortTerm(placeIn: "group", of: random.pick(groups), SortDirection(isDescending: isDescending), nils: nils)
          : SortTerm(path: random.pick(paths), SortDirection(isDescending: isDescending), nils: nils))
    }
    let sections = [
      SectionKey(path: ["group", "name"]),
      SectionKey(path: ["group", "name"], transform: .initial, order: ["B", "M"]),
      SectionKey(path: ["integer"]), SectionKey(path: ["text"], transform: .initial),
      SectionKey(path: ["date"], transform: .day),
    ]
    guard random.isTrue(percent: 40) else { return request }
    request.section = random.pick(sections)
    request.section?.direction = SortDirection(isDescending: random.isTrue(percent: 50))
    request.section?.nils = random.isOneIn(3) ? random.pick(EndPlacement.allCases) : nil
    if request.section?.transform == .initial, random.isOneIn(2) {
      request.section?.others = random.pick(EndPlacement.allCases)
    }
    return request
  }
}
