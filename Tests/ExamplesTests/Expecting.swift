import Daybook
import DaybookTestSupport
import Testing

/// Runs an application in its own temporary directory, and compares its whole output.
func expect(_ name: String, prints expected: String) throws {
  let run = try ExampleRun(name)
  #expect(run.status == 0)
  #expect(run.errors == "")
  let (lines, wanted) = (run.lines, expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
  for (number, pair) in zip(lines, wanted).enumerated() where pair.0 != pair.1 {
    Issue.record("line \(number + 1) is “\(pair.0)”, and not “\(pair.1)”")
  }
  #expect(run.output == expected)
}

/// Runs an application in a named directory, and checks its output and its store.
///
/// It prints the same, its store has no faults, and a second session leaves it unchanged.
func expectStore(_ store: String, of name: String) throws {
  let directory = try TemporaryDirectory()
  let place = directory.path("new/place")
  let run = try ExampleRun(name, place)
  #expect(run.status == 0)
  #expect(run.output == (try ExampleRun(name)).output)
  let path = "\(place)/\(store)"
  #expect(try StoreVerification.verify(storeAt: path).faults.isEmpty)
  let head = try Store(at: path).head()
  #expect(head > 1)
  let again = try ExampleRun(name, place)
  #expect(again.status == 1)
  #expect(again.errors.hasPrefix("error: There is something at \(place)/"), "\(again.errors)")
  #expect(try Store(at: path).head() == head)
}
