import DaybookMacros
import DaybookTestSupport
import Testing

@testable import ApplicationSupport

/// Which edits a form has taken: a value, against a line that repeats and loses.
@Suite(.hangLimit) struct FormEditsTests {
  private struct Refusal: Error, Equatable { var number: Int }

  @Test func anEditIsPerformedOnceAndARefusedOneIsRefusedAgain() throws {
    var edits = FormEdits()
    var performed: [Int] = []
    try edits.take(1, of: "page") { performed.append(1) }
    try edits.take(1, of: "page") { performed.append(1) }
    #expect(throws: Refusal(number: 2)) { try edits.take(2, of: "page") { throw Refusal(number: 2) } }
    #expect(throws: Refusal(number: 2)) { try edits.take(2, of: "page") { performed.append(2) } }
    try edits.take(3, of: "page") { performed.append(3) }
    // Only the last edit can be one whose answer was lost.
    try edits.take(2, of: "page") { performed.append(2) }
    #expect(performed == [1, 3])
    #expect(edits.numbers == ["page": 3])
  }

  @Test func anEditDoesNotOvertakeAnother() throws {
    var edits = FormEdits(["page": 4])
    for number in [6, 7, Int.max] {
      #expect(throws: (any Error).self) { try edits.take(number, of: "page") { Issue.record("it was performed") } }
    }
    for number in [4, 1, 0, -1, Int.min] { try edits.take(number, of: "page") { Issue.record("it was performed") } }
    var isPerformed = false
    try edits.take(5, of: "page") { isPerformed = true }
    #expect(isPerformed && edits.numbers == ["page": 5])
  }

  @Test func pagesNumberTheirEditsForThemselvesAndThereIsALimitOfPages() throws {
    var edits = FormEdits()
    for page in 0..<FormEdits.maximumPageCount { try edits.take(1, of: "\(page)") {} }
    #expect(throws: (any Error).self) { try edits.take(1, of: "one more") {} }
    try edits.take(2, of: "7") {}
    #expect(edits.numbers["7"] == 2 && edits.numbers["8"] == 1)
  }

  /// Pages whose requests are repeated in any number, each in its order: what is performed is what each has sent.
  @Test func repeatedRequestsOfSeveralPagesAreEachPerformedOnce() throws {
    try Seeds.run(200) { seed in
      var random = SeededRandom(seed: seed)
      var edits = FormEdits()
      var sent: [String: Int] = [:]
      var performed: [String: [Int]] = [:]
      for _ in 0..<100 {
        let page = ["a", "b", "c"].randomElement(using: &random) ?? "a"
        let isNew = sent[page] == nil || Bool.random(using: &random)
        let number = isNew ? (sent[page] ?? 0) + 1 : Int.random(in: 1...(sent[page] ?? 1), using: &random)
        sent[page] = max(sent[page] ?? 0, number)
        try edits.take(number, of: page) { performed[page, default: []].append(number) }
      }
      for (page, count) in sent { #expect(performed[page] == Array(1...count)) }
      #expect(edits.numbers == sent)
    }
  }
}
