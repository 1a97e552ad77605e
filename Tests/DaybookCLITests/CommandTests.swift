#if Command

import ArgumentParser
import DaybookModel
import Foundation
import Testing

@testable import DaybookCLI
@testable import DaybookTools

@Suite(.hangLimit) struct CommandTests {
  @Test func theCommandHasTheProductsName() {
    #expect(DaybookCommand.configuration.commandName == "daybook")
  }

  @Test func helpAndCompletionsArePrinted() throws {
    let help = try CommandRun(["--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("--generate-completion-script"))
    for shell in ["bash", "zsh", "fish"] {
      let script = try CommandRun(["--generate-completion-script", shell])
      #expect(script.status == 0)
      #expect(script.output.contains("apply"))
    }
  }

  /// The command, the server's description and the changelog share one constant.
  @Test func theVersionIsTheFirstOfTheChangelog() throws {
    #expect(try CommandRun(["--version"]).output == "\(DaybookVersion.current)\n")
    let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let changelog = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let heading = changelog.split(separator: "\n").first { $0.hasPrefix("## ") }
    #expect(heading == "## \(DaybookVersion.current)")
  }

  @Test func aStoreIsCreatedAndOperationsAreAppliedToIt() throws {
    let kitchen = try Kitchen()
    let store = kitchen.directory.path("other")
    #expect(try CommandRun(["init", store, "--model", kitchen.directory.path("model.json")]).output == "1\n")
    let run = try CommandRun(["apply", store], input: Kitchen.menu)
    #expect(run.status == 0 && run.output == "2\n" && run.errors == "")
  }

  @Test func positionsAreNumbersTimesOrTheHead() {
    #expect(PositionText(argument: "7") == .number(7))
    #expect(PositionText(argument: "head") == .head)
    #expect(PositionText(argument: "2026-01-02")?.isTime == true)
    #expect(PositionText(argument: "soon") == nil)
  }

  @Test(arguments: ["", ":", "7", "7:", "0:\(Digest.zero)", "7:12", "x:\(Digest.zero)", "7:\(Digest.zero):"])
  func whatIsNoExpectedHashIsRefused(text: String) {
    #expect(ExpectedHash(argument: text) == nil)
  }

  @Test func aCommitHasOneExpectedHash() throws {
    let (one, other) = ("7:\(Digest.zero)", "7:\(String(repeating: "ab", count: 32))")
    #expect(ExpectedHash(argument: one)?.position == 7 && ExpectedHash(argument: one)?.hash == .zero)
    #expect(try VerifyCommand.parse(["store", "--expect", one, "--expect", one]).expect.count == 2)
    #expect(throws: (any Error).self) { try VerifyCommand.parse(["store", "--expect", one, "--expect", other]) }
  }
}

extension PositionText {
  fileprivate var isTime: Bool {
    if case .time = self { true } else { false }
  }
}

#endif
