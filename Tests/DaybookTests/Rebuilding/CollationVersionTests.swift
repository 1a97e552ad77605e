import Daybook
import DaybookTestSupport
import Synchronization
import Testing

/// Indexes in the order of a locale whose collation has another version later.
@Suite(.hangLimit) struct CollationVersionTests {
  /// An order that is reversed by its second version.
  private final class Reversible: LocaleCollator {
    let isReversed = Mutex(false)

    var version: String { isReversed.withLock { $0 ? "2" : "1" } }

    func appendKey(of text: String, to key: inout [UInt8]) {
      let flip: UInt8 = isReversed.withLock { $0 ? 255 : 0 }
      key += text.utf8.map { $0 ^ flip } + [flip]
    }

    func initial(of text: String) -> String? { nil }
  }

  private static let order = Reversible()

  private static let options: StoreOptions = {
    var options = StoreOptions()
    options.collation = LocaleCollation(named: "qa-reversible") { $0 == "qa-reversible" ? order : nil }
    return options
  }()

  private static let model = Model(entities: [
    Entity(
      name: "Word", nameAttribute: "text",
      attributes: [Attribute(name: "text", type: .string, order: .locale("qa-reversible"))],
      indexes: [Index([SortTerm(path: ["text"])])])
  ])

  private static let request = Request(entity: "Word", sort: [SortTerm(path: ["text"])])

  private func words(_ store: Store) throws -> [String] {
    #expect(try store.read { try $0.explain(Self.request) }.contains("in order"))
    return try store.fetch(Self.request).rows.map { "\($0["text"])" }
  }

  @Test func aModelWithALocaleNeedsTheOptionThatKnowsIt() throws {
    let directory = try TemporaryDirectory()
    let name = "qa-by-options"
    let model = Model(entities: [
      Entity(
        name: "Word", nameAttribute: "text",
        attributes: [Attribute(name: "text", type: .string, order: .locale(name))])
    ])
    var options = StoreOptions()
    let error = #expect(throws: StoreError.self) {
      try Store(at: directory.path("store"), model: model, options: options)
    }
    #expect(error?.code == .badModel)
    #expect(error?.description.contains("StoreOptions.collation") == true)
    options.collation = LocaleCollation(named: name) { $0 == name ? Reversible() : nil }
    try Store(at: directory.path("store"), model: model, options: options).close()
  }

  @Test func theyAreBuiltAgainAndSnapshotsAreLeftOut() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    var options = Self.options
    options.snapshotIntervalInEvents = 3
    let store = try Store(at: path, model: Self.model, options: options)
    for word in ["b", "a", "c", "e", "d"] { _ = try store.write { try $0.insert("Word", ["text": .string(word)]) } }
    #expect(try words(store) == ["a", "b", "c", "d", "e"])
    _ = try store.makeSnapshots()
    #expect(!store.snapshots.isEmpty)
    store.close()
    options.snapshotIntervalInEvents = 0
    let turns: [(isReversed: Bool, expected: [String])] = [
      (true, ["e", "d", "c", "b", "a"]), (true, ["e", "d", "c", "b", "a"]), (false, ["a", "b", "c", "d", "e"]),
    ]
    for (isReversed, expected) in turns {
      Self.order.isReversed.withLock { $0 = isReversed }
      let store = try Store(at: path, options: options)
      #expect(try words(store) == expected)
      let past = try store.at(4).fetch(Self.request).rows.map { "\($0["text"])" }
      #expect(past == (isReversed ? ["c", "b", "a"] : ["a", "b", "c"]))
      #expect(store.snapshots.isEmpty == isReversed)
      #expect(try store.verify().faults == [])
      store.close()
    }
  }
}
