import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct ProjectionReasonsTests {
  @Test func aProjectionReadsWhyACommitWasWritten() throws {
    // A row about why each commit was written.
    let reasons = ClosureProjection("reasons") { commit, rows in
      let ticket = commit.metadata["ticket"]?.text ?? "-"
      let cause = commit.causation.map { "\($0)" } ?? "-"
      try rows.add(to: "\(commit.position) \(ticket) \(cause) \(commit.correlation ?? "-")", of: "reasons")
    }
    try withTemporaryStore(FeedModel.model, options: .knowing(reasons)) { store in
      try store.write(CommitInfo(metadata: ["ticket": 12], causedBy: 1, correlation: "flow")) {
        _ = try $0.insert("Tag", ["name": "a"])
      }
      try store.write { _ = try $0.insert("Tag", ["name": "b"]) }
      try store.projection("reasons").catchUp()
      #expect(try store.numbers(of: "reasons").keys.sorted() == ["1 - - -", "2 12 1 flow", "3 - - -"])
    }
  }
}
