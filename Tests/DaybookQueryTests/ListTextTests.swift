import DaybookTestSupport
import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct ListTextTests {
  @Test func `shown paths are separated by commas, and each counts once`() throws {
    #expect(try FetchRequest.paths(parsing: []) == nil)
    #expect(try FetchRequest.paths(parsing: ["name"]) == [["name"]])
    #expect(try FetchRequest.paths(parsing: ["name, type.name ,name"]) == [["name"], ["type", "name"]])
    #expect(try FetchRequest.paths(parsing: ["tags.name", "name,tags.name"]) == [["tags", "name"], ["name"]])
  }

  @Test(arguments: [("", 1), ("a,", 3), (",a", 1), ("a, b c", 5), ("a:desc", 2), ("a,.b", 3), ("a,b.", 5), ("a,9", 3)])
  func `a wrong shown path is reported with its column`(text: String, column: Int) {
    let error = #expect(throws: QueryError.self) { try FetchRequest.paths(parsing: ["name", text]) }
    #expect(error?.column == column, "\(error?.description ?? "")")
  }

  @Test func `more shown paths than are allowed are refused`() throws {
    let names = (0...FetchRequest.maximumShownCount).map { "a\($0)" }
    let error = #expect(throws: QueryError.self) { try FetchRequest.paths(parsing: names) }
    #expect(error?.description == "shown: 101 paths are given; 100 are allowed")
    #expect(try FetchRequest.paths(parsing: Array(names.dropLast()))?.count == 100)
  }

  @Test(arguments: [
    ("Soup", ["Soup"]), ("Soup,Main course, Dessert ", ["Soup", "Main course", "Dessert"]), ("", [""]),
    ("a,,b", ["a", "", "b"]), ("a,", ["a", ""]),
    (#""Fish, grilled", "a ""b""" ,"" "#, ["Fish, grilled", #"a "b""#, ""]),
    (#"" a ",b"#, [" a ", "b"]), (#"a "b", c"#, [#"a "b""#, "c"]), ("é,e\u{301}", ["é", "e\u{301}"]),
  ])
  func `the names of an order are separated by commas, and may be in quotes`(text: String, names: [String]) throws {
    #expect(try SectionKey.order(parsing: text).map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }

  @Test(arguments: [(#""a"#, 1), (#"a, "b"#, 4), (#""a"b"#, 4), (#""a" b,c"#, 5), (#""a"""#, 1)])
  func `a quote without end, and text after one, are reported with their columns`(text: String, column: Int) {
    let error = #expect(throws: QueryError.self) { try SectionKey.order(parsing: text) }
    #expect(error?.column == column, "\(error?.description ?? "")")
  }

  @Test func `names in quotes are read as they are`() throws {
    try SeededRandom.run(Rounds.of(200)) { generator in
      let names = (0..<generator.number(1..<5)).map { _ in
        String((0..<generator.number(0..<6)).map { _ in generator.pick(Array("ab ,\"é\n")) })
      }
      let quoted = names.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
      let read = try SectionKey.order(parsing: quoted.joined(separator: generator.pick([",", " , "])))
      #expect(read == names, "seed \(generator.seed)")
    }
  }
}
