import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct ProjectionReasonsTests {
  /// Keeps a line about why each commit was written.
  private struct Reasons: Projection {
    let name = "reasons"
    let version = 1

    func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {
      let ticket = try commit.metadata()["ticket"]?.text ?? "-"
      let cause = commit.causation.map { "\($0)" } ?? "-"
      let line = "\(ticket) \(cause) \(commit.correlation ?? "-")"
      try context.put([UInt8(commit.position.number)], Array(line.utf8), in: "lines")
    }

    func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {}
  }

  @Test func aProjectionReadsWhyACommitWasWritten() throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(Reasons())) { store in
      try store.write(CommitInfo(metadata: ["ticket": 12], causedBy: 1, correlation: "flow")) {
        _ = try $0.insert("Tag", ["name": "a"])
      }
      try store.write { _ = try $0.insert("Tag", ["name": "b"]) }
      try store.projection("reasons").catchUp()
      let lines = try store.projection("reasons").read { reader in
        try (2...3).map { String(decoding: try reader.get([UInt8($0)], in: "lines") ?? [], as: UTF8.self) }
      }
      #expect(lines == ["12 1 flow", "- - -"])
    }
  }
}
