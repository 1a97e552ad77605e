import DaybookTestSupport
import Testing

@testable import DaybookModel
@testable import DaybookQuery

/// Every combination of a few tests and sort terms over indexes of two terms.
@Suite(.hangLimit) struct IndexCoverTests {
  private static let indexes: [[SortTerm]] = [
    [.init(path: ["kind"]), .init(path: ["name"])], [.init(path: ["kind"]), .init(path: ["name"], .descending)],
    [.init(path: ["kind"], .descending), .init(path: ["title"])], [.init(path: ["name"]), .init(path: ["kind"])],
    [.init(path: ["name"])],
    [.init(path: ["kind"]), .init(path: ["file"]), .init(path: ["name"])],
  ]
  private static let nameTests = [
    "", "F == 'b'", "F IN {'b'}", "F IN {'a', 'b'}", "F BETWEEN {'b', 'b'}", "F BETWEEN {'a', 'b'}", "F BEGINSWITH 'b'",
    "F BEGINSWITH ''", "F >= 'b'", "F == nil",
  ]
  private static let sorts = [
    [], ["name"], ["name:desc"], ["kind", "name"], ["name", "kind"], ["kind"], ["kind:desc", "title"], ["title"],
    ["file", "name"], ["name", "id"], ["name", "id", "kind"], ["kind", "file", "name"],
  ]

  private static func model(_ terms: [SortTerm]) throws -> ResolvedModel {
    try ResolvedModel(creating: RowModel.model([Index(terms)]))
  }

  @Test func `a covering index has each request's rows and their sort keys`() throws {
    var coverCount = 0
    for terms in Self.indexes {
      let model = try Self.model(terms)
      var world = World(model)
      for kind in [.null, 1, 2] as [Value] {
        for text in RowModel.texts {
          _ = world.add("Row", ["kind": kind, "name": text, "title": text, "file": text])
          _ = world.add("Row", ["kind": kind, "name": text, "title": "b", "file": "b10"])
        }
      }
      let shelf = try IndexShelf(world)
      for kindTest in RowModel.kindTests {
        for (nameTest, field) in Self.nameTests.flatMap({ test in ["name", "title", "file"].map { (test, $0) } }) {
          let text = [kindTest, nameTest.replacing("F", with: field)].filter { !$0.isEmpty }.joined(separator: " AND ")
          let filter = text.isEmpty ? nil : try Filter(parsing: text)
          for sort in Self.sorts {
            let request = FetchRequest(
              entity: "Row", filter: filter,
              sort: try sort.map { text throws(QueryError) in try SortTerm(parsing: text) })
            let resolved = try ResolvedRequest(request, in: model)
            guard let keys = try shelf.keys(coveredBy: resolved) else { continue }
            coverCount += 1
            let wanted = try sortedRows(resolved, &world).map { $0.key(in: resolved) }
            #expect(keys == wanted, "\(text) by \(sort) over \(terms)")
          }
        }
      }
    }
    #expect(coverCount > 250)
  }

  @Test func `tests of terms that the request sorts by are no part of the prefix`() throws {
    let model = try Self.model([.init(path: ["kind"]), .init(path: ["name"])])
    func cover(_ filter: String, _ sort: [String]) throws -> IndexCover? {
      let request = FetchRequest(
        entity: "Row", filter: try Filter(parsing: filter), sort: sort.map { SortTerm(path: [$0]) })
      return IndexCover(try ResolvedRequest(request, in: model), in: model)
    }
    var one: [UInt8] = []
    SortKey.append(1, to: &one)
    for test in ["== 'C'", "IN {'C'}", "BETWEEN {'C', 'C'}", "BETWEEN {'C', 'D'}", "BEGINSWITH 'C'", "> 'C'"] {
      #expect(try cover("kind == 1 AND name \(test)", ["name"])?.prefix == one, "\(test)")
      #expect(try cover("kind == 1 AND name \(test)", ["kind", "name"])?.prefix == [], "\(test)")
    }
    #expect(try cover("kind IN {1, 2}", ["name"]) == nil)
    #expect(try cover("kind == 1 AND title == 'x'", ["name"]) == nil)
  }
}
