#if Command

import ArgumentParser
import Daybook
import DaybookTools

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check everything in a store, or in a backup, and report every fault.",
    discussion: """
      Pages, commits, hashes, events and projections are checked; nothing is changed, and others may go on writing. \
      Of the projections of users only the activity is known here, and folded again; a program that knows others \
      verifies them with the library. The exit status is 1 if there is a fault.
      """)

  @Argument(help: "The directory of the store, or a backup file.", completion: .directory)
  var store: String

  @Option(
    help: ArgumentHelp(
      "A hash that a commit must have, as stats printed it; can be given several times.", valueName: "position:hash"))
  var expect: [ExpectedHash] = []

  @OptionGroup var output: JSONOption

  func validate() throws { _ = try hashes() }

  /// Returns the expected hashes by their positions.
  ///
  /// - Throws: `ValidationError` for two hashes of one commit, which cannot both be right.
  private func hashes() throws -> [Position: Digest] {
    try expect.reduce(into: [:]) { hashes, expected in
      let other = hashes.updateValue(expected.hash, forKey: expected.position)
      if let other, other != expected.hash {
        throw ValidationError("Two different hashes are given for commit \(expected.position).")
      }
    }
  }

  func run() throws {
    let bar = ProgressBar()
    let result: StoreVerification
    do {
      defer { bar.finish() }
      var options = StoreArguments.libraries
      options.projections = [ActivityProjection()]
      result = try Store.verify(at: store, expecting: hashes(), options: options) { bar.show($0) }
    }
    if output.json { try Console.standard.print(result.json) } else { try printText(result) }
    if !result.isSound { throw ExitCode(ExitStatus.refused) }
  }

  private func printText(_ result: StoreVerification) throws {
    let console = Console.standard
    for note in result.notes { try console.print("note: \(note)") }
    for fault in result.faults { try console.print("fault: \(fault)") }
    if result.isCutShort { try console.print("There are more faults than these.") }
    let counts =
      "\(result.commitCount) commits, \(result.eventCount) events, \(result.rowCount) rows, \(result.pageCount) pages"
    guard let advice = result.advice else {
      return try console.print("ok: \(counts); head \(result.head):\(result.hash.map { "\($0)" } ?? "")")
    }
    try console.print("\(result.faults.count) faults in \(counts). \(advice)")
  }
}

private extension StoreVerification {
  /// The output of `verify --json`.
  var json: JSONValue {
    .object([
      ("ok", .boolean(isSound)),
      (
        "faults",
        .array(
          faults.map { fault in
            .object([
              ("where", .string(fault.place)), ("what", .string(fault.message)),
              ("part", .string(fault.part.rawValue)),
            ])
          })
      ),
      ("cutShort", .boolean(isCutShort)),
      ("notes", .array(notes.map { .string($0) })),
      ("advice", advice.map { .string($0) } ?? .null),
      ("head", head.json),
      ("hash", hash.map { .string($0.description) } ?? .null),
      ("commits", .integer(Int64(commitCount))),
      ("events", .integer(Int64(eventCount))),
      ("rows", .integer(Int64(rowCount))),
      ("pages", .integer(Int64(pageCount))),
    ])
  }
}

#endif
