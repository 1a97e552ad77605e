#if Command

import ArgumentParser
import Daybook
import Foundation

#if Git
import DaybookGit
#endif
#if Import
import DaybookImport
#endif

/// The end of a failed command: the lines it prints, and its exit status.
struct CommandFailure: Equatable {
  /// For standard error.
  let lines: [String]
  let status: Int32
  /// Whether the results could not be written.
  var isOutputFailure = false

  /// Creates the end of a command, or `nil` for errors that ArgumentParser reports.
  ///
  /// These are wrong usage, help, and a status that the command chose.
  init?(_ error: any Error) {
    switch StoreError.translating(error) {
    case is BrokenPipe: self.init(lines: [], status: 0)
    case let error as StoreError: self.init(error.message, advice: error.remedy?.command, status: error.code.status)
    case let error as FileFailure:
      self.init("\(error)", advice: error.advice, status: ExitStatus.inputOutput)
      isOutputFailure = error.isOfOutput
    case is ModelError, is QueryError, is ValueError:
      self.init("\(error)", advice: nil, status: ExitStatus.refused)
    #if Git
    case let error as InterruptedImport: self.init(error)
    case let error as GitError: self.init(error.message, advice: nil, status: error.status)
    #endif
    #if Import
    case let error as ImportError: self.init(error.message, advice: nil, status: error.exitStatus)
    #endif
    case let error as MissingTrait: self.init("\(error)", advice: error.advice, status: ExitStatus.refused)
    case let error as CocoaError:
      self.init(error.localizedDescription, advice: nil, status: ExitStatus.inputOutput)
    case is ExitCode, is CleanExit, is ValidationError: return nil
    default:
      // ArgumentParser's own errors are not public; its exit code identifies them.
      guard DaybookCommand.exitCode(for: error) == .failure else { return nil }
      self.init("\(error)", advice: nil, status: ExitStatus.refused)
    }
  }

  #if Git
  /// Creates the end of an import: the error that ended it, and what was imported before.
  private init?(_ error: InterruptedImport) {
    guard let failure = CommandFailure(error.cause) else { return nil }
    let count = error.commitCount == 1 ? "1 commit was" : "\(error.commitCount) commits were"
    self.init(
      lines: failure.lines + ["\(count) imported before the error; another import continues after the last one."],
      status: failure.status)
  }
  #endif

  private init(_ message: String, advice: String?, status: Int32) {
    self.init(lines: ["daybook: \(message)"] + (advice.map { [$0] } ?? []), status: status)
  }

  private init(lines: [String], status: Int32) {
    self.lines = lines
    self.status = status
  }
}

private extension StoreError.Code {
  /// The exit status for this kind: 74 if a disk or a file failed, 1 if the store refused.
  var status: Int32 {
    switch self {
    case .inputOutput, .full, .unknownOutcome, .unavailable, .closed, .displaced: ExitStatus.inputOutput
    default: ExitStatus.refused
    }
  }
}

#if Git
private extension GitError {
  /// The exit status: 74 if there is no readable source, 1 if the history cannot be imported.
  var status: Int32 {
    switch kind {
    case .gitMissing, .notARepository, .missingObjects, .failed: ExitStatus.inputOutput
    default: ExitStatus.refused
    }
  }
}
#endif

#endif
