import Daybook
import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@Suite("Texts of groupings", .hangLimit) struct GroupTextTests {
  @Test(
    "What is wrong with a grouping is named with its part and its column",
    arguments: [
      ("titel", "count", "", "", "group “titel”", 1), ("title", "count, sum:title", "", "", "show “sum:title”", 8),
      ("title", "count", "sum:pages > 3", "", "having", 1), ("title", "count", "", "pagse", "order “pagse”", nil),
      ("title", "count, count", "", "", "show “count”", 8),
    ] as [(String, String, String, String, String, Int?)])
  func parts(
    _ key: String, _ values: String, _ having: String, _ order: String, _ part: String, _ column: Int?
  ) throws {
    try withTemporaryStore(.library) { store in
      let request = FetchRequest(
        entity: "Book",
        grouping: try Grouping(
          by: [key], showing: [values], order: order.isEmpty ? [] : [order], having: having.isEmpty ? nil : having))
      let error = #expect(throws: QueryError.self) {
        _ = try store.read { try ResolvedRequest(request, in: $0.resolvedModel) }
      }
      #expect(error?.part == part && error?.column == column, "\(String(describing: error))")
      #expect(error?.isOfFilter == false)
    }
  }

  @Test("A condition on groups that cannot be read is one of groups, and no filter on objects")
  func having() {
    let error = #expect(throws: QueryError.self) { try Filter(parsingHaving: "count >") }
    #expect(error?.part == "having" && error?.column == 8 && error?.isOfFilter == false)
  }

  @Test("One empty text is a grouping without keys; without values the number of objects is shown")
  func noKeys() throws {
    let grouping = try Grouping(by: [""], showing: [])
    #expect(grouping.keys.isEmpty && grouping.values == [.count])
    #expect(throws: QueryError.self) { try Grouping(by: ["title", ""], showing: []) }
  }

  @Test("A key whose name a value has keeps its name in the columns of the row")
  func hiddenKey() throws {
    try withTemporaryStore(.library) { store in
      try store.write { _ = try $0.insert(Book(title: "Emma", pages: 3)) }
      let request = FetchRequest(entity: "Book", grouping: try Grouping(by: ["title"], showing: ["title = sum:pages"]))
      let rows = try store.read { try $0.fetch(request).rows.map { GroupColumns($0) } }
      #expect(rows.map { $0.key.map(\.name) } == [["title"]] && rows.map { $0.values.map(\.value) } == [[3]])
      let resolved = try store.read { try ResolvedRequest(request, in: $0.resolvedModel) }
      #expect(resolved.grouping?.columns.map(\.name) == ["title", "title"])
    }
  }
}
