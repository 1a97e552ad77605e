import DaybookModel
import Testing

@testable import DaybookEngine

@Suite(.hangLimit) struct CommitTermTests {
  private static let authors = ["", "a", "ab", "a\u{0}", "a\u{0}b", "\u{0}", "\u{0}\u{0}", "Ünïcode"]
  private static let long = String(repeating: "x", count: 401)

  private static var terms: [CommitTerm] {
    var terms: [CommitTerm] = [.model, .day(.min), .day(-1), .day(0), .day(20_000), .author(long), .author(long + "y")]
    for author in authors { terms += [.author(author), .correlation(author)] }
    terms += [.causedBy(1), .causedBy(256), .undoOrRedo, .recorded(Tag(1)), .recorded(Tag(2))]
    for tag in [Tag(1), Tag(2), Tag(256)] { terms += EventKind.allCases.map { .event(tag, $0) } }
    return terms
  }

  @Test func noTermBeginsWithAnother() {
    let all = CommitTermTests.terms.map(\.bytes)
    for (index, term) in all.enumerated() {
      for (other, bytes) in all.enumerated() where other != index { #expect(!bytes.starts(with: term)) }
    }
  }

  @Test func aKeyLeadsBackToItsAuthor() {
    for author in CommitTermTests.authors { #expect(CommitTerm.text(in: CommitTerm.author(author).bytes) == author) }
    #expect(CommitTerm.text(in: CommitTerm.author(CommitTermTests.long).bytes) == nil)
  }

  @Test func theLongestKeyFits() {
    for text in [CommitTermTests.long, String(repeating: "\u{0}", count: 300), String(repeating: "\u{0}", count: 200)] {
      #expect(CommitIndexRow.key(CommitTerm.author(text).bytes, CommitBlock(.max)).count < SortKey.maximumKeySize)
    }
  }

  @Test func daysAreCountedFrom1970InBothDirections() throws {
    let days: [(String, Int64)] = [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T23:59:59.999999Z", 0), ("1970-01-02T00:00:00Z", 1),
      ("1969-12-31T23:59:59.999999Z", -1), ("1969-12-31T00:00:00Z", -1), ("1969-12-30T23:59:59Z", -2),
    ]
    for (text, day) in days { #expect(CommitTerm.day(of: try #require(Timestamp(text))) == .day(day), "\(text)") }
  }

  @Test func daysSortAsTheirKeysDo() {
    let days: [Int64] = [.min, -2, -1, 0, 1, 20_000, .max]
    let keys = days.map { CommitTerm.day($0).bytes }
    for (earlier, later) in zip(keys, keys.dropFirst()) { #expect(earlier.lexicographicallyPrecedes(later)) }
  }
}
