import Foundation

/// DuckDB groups the same tasks, in a Python process that stays; what is timed is what the process measures.
final class DuckDBGroups: Contestant {
  let name = PeerName.duckDB
  let role = Role.peer
  private let workload: Workload
  private let python: String
  private var process: Process?
  private var (input, output) = (Pipe(), Pipe())

  /// - Parameter python: A Python with the package `duckdb`.
  init(_ workload: Workload, python: String) { (self.workload, self.python) = (workload, python) }

  private static let script = """
    import sys, time, duckdb
    connection = duckdb.connect(sys.argv[2])
    connection.execute("CREATE TABLE task AS SELECT * FROM read_csv(?, header=true)", [sys.argv[1]])
    for line in sys.stdin:
        start = time.perf_counter()
        rows = connection.execute(
            "SELECT grp, count(*), sum(amount), avg(amount) FROM task GROUP BY grp ORDER BY grp").fetchall()
        elapsed = time.perf_counter() - start
        print(elapsed, sum(row[2] for row in rows) * 31 % 2**64, flush=True)
    """

  func prepare(in directory: URL) throws {
    let table = directory.appending(path: "tasks.csv")
    var text = "name,timestamp,grp,amount\n"
    for record in workload.records {
      let (group, amount) = GroupedTasks.values(of: record)
      text += "\(record.name),\(record.timestamp),\(group),\(amount)\n"
    }
    try text.write(to: table, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [
      "-c", DuckDBGroups.script, table.path(percentEncoded: false),
      directory.appending(path: "tasks.duckdb").path(percentEncoded: false),
    ]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    self.process = process
  }

  func run(round: Int) throws -> Work {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let read = output.fileHandleForReading.availableData
      guard !read.isEmpty else { throw BenchmarkError.noDifference(contestant: name) }
      line += read
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let seconds = Double(words[0]), let digest = UInt64(words[1]) else {
      throw BenchmarkError.noDifference(contestant: name)
    }
    var work = Work(operations: 1, digest: digest, elapsed: .zero)
    work.add(.seconds(seconds))
    return work
  }

  func cleanUp() throws {
    try input.fileHandleForWriting.close()
    process?.waitUntilExit()
    process = nil
  }
}
