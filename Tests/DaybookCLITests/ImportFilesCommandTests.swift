#if Command && Import

import DaybookTestSupport
import Foundation
import Testing

/// The imports of other programs' files, by the command, against a check in Python that reads the same files.
@Suite(.hangLimit)
struct ImportFilesCommandTests {
  /// The shared files, or `nil` without them; see `DAYBOOK_SHARED` in `Tests/README.md`.
  private static let data: String? = {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    let places: [String?] = [
      ProcessInfo.processInfo.environment["DAYBOOK_SHARED"],
      package.deletingLastPathComponent().appendingPathComponent("shared").path,
    ]
    return places.compactMap { place in place.map { "\($0)/data" } }.first {
      FileManager.default.fileExists(atPath: "\($0)/coredata/check_import.py")
    }
  }()

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static let needed = ConditionTrait.enabled(
    if: data != nil && python != nil, "needs ../shared/data/coredata, or DAYBOOK_SHARED, and python3")

  /// Runs a check, which prints one line for each difference.
  private func check(_ what: String, _ paths: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    let script = "\(Self.data ?? "")/coredata/check_import.py"
    let files = paths.map { "\(Self.data ?? "")/\($0)" }
    process.arguments =
      ["-B", script, what] + files + ["--daybook", CommandRun.executable.path, "--get", "40", "--quiet"]
    let directory = try TemporaryDirectory()
    let output = directory.path("output")
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(paths[0]): \(text)")
  }

  @Test(Self.needed)
  func `a store of Core Data is imported as its tables say`() throws {
    let folder = "coredata/stores/bookmarks"
    try check("store", "\(folder)/Bookmarks_V1.sqlite", "\(folder)/BookmarksModel.xcdatamodeld")
  }

  @Test(Self.needed)
  func `damaged stores are refused, and leave nothing behind`() throws {
    let folder = "coredata/stores/bookmarks"
    try check("broken", "\(folder)/Bookmarks_V5.sqlite", "\(folder)/BookmarksModel.xcdatamodeld")
  }

  @Test(Self.needed, arguments: ["Aidoku09", "UniqueConstraints", "NotesAndTags", "Flow"])
  func `each part of a model is imported or reported`(_ name: String) throws {
    try check("model", "coredata/models/\(name).xml")
  }

  @Test(.enabled(if: python != nil, "needs python3, which writes the file"))
  func `an import that is killed leaves no store, and the next one removes what it left`() throws {
    let directory = try TemporaryDirectory()
    let (file, store) = (directory.path("rows.sqlite"), directory.path("store"))
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
      database.executemany("INSERT INTO row VALUES (?, ?)", ((i, "text %d" % i) for i in range(20000)))
      database.commit()
      """
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: try #require(Self.python))
    writer.arguments = ["-c", script, file]
    try writer.run()
    writer.waitUntilExit()
    let process = Process()
    process.executableURL = CommandRun.executable
    process.arguments = ["import", "sqlite", store, file]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    func leftovers() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".unfinished") }
    }
    while process.isRunning, try leftovers().isEmpty { usleep(1_000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: store))
    let run = try CommandRun(["import", "sqlite", store, file])
    #expect(run.status == 0)
    #expect(run.output.contains("Row: 20000 objects") || run.output.contains("row: 20000 objects"))
    #expect(try leftovers() == [])
    #expect(try CommandRun(["count", store, "row"]).output == "20000\n")
  }

  @Test
  func `wrong usage and unsuitable files have their own statuses`() throws {
    let directory = try TemporaryDirectory()
    let store = directory.path("store")
    let usage = try CommandRun(["import", "coredata", store])
    #expect(usage.status == 64)
    #expect(usage.errors.contains("--model"))
    let missing = try CommandRun(["import", "sqlite", store, directory.path("absent.sqlite")])
    #expect(missing.status == 74)
    #expect(missing.errors.contains("absent.sqlite"))
    try "no database".write(toFile: directory.path("text"), atomically: true, encoding: .utf8)
    let text = try CommandRun(["import", "coredata", store, "--store", directory.path("text")])
    #expect(text.status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["text"])
  }
}

#endif
