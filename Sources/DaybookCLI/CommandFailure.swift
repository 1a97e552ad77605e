import ArgumentParser
import Daybook
import DaybookGit
import Foundation

/// How a command ends that did not do what it was asked: what it prints, and its exit status.
struct CommandFailure: Equatable {
  /// For standard error.
  let lines: [String]
  let status: Int32

  /// The store says no.
  static let refused: Int32 = 1
  /// Input or output failed.
  static let inputOutput: Int32 = 74

  /// Nil for what ArgumentParser reports: wrong usage, help, and a status that the command chose.
  init?(_ error: any Error) {
    switch StoreError.translating(error) {
    case is BrokenPipe: self.init(lines: [], status: 0)
    case let error as StoreError: self.init(error.message, advice: error.advice, status: error.code.status)
    case let error as FileFailure: self.init("\(error)", advice: error.advice, status: CommandFailure.inputOutput)
    case is ModelError, is QueryError, is FilterError, is ValueError:
      self.init("\(error)", advice: nil, status: CommandFailure.refused)
    case let error as GitError: self.init(error.message, advice: nil, status: error.status)
    case let error as CocoaError:
      self.init(error.localizedDescription, advice: nil, status: CommandFailure.inputOutput)
    case is ExitCode, is CleanExit, is ValidationError: return nil
    default:
      // ArgumentParser's own errors are not public; it knows which they are.
      guard DaybookCommand.exitCode(for: error) == .failure else { return nil }
      self.init("\(error)", advice: nil, status: CommandFailure.refused)
    }
  }

  private init(_ message: String, advice: String?, status: Int32) {
    self.init(lines: ["daybook: \(message)"] + (advice.map { [$0] } ?? []), status: status)
  }

  private init(lines: [String], status: Int32) {
    self.lines = lines
    self.status = status
  }
}

extension StoreError.Code {
  /// The exit status for an error of this kind: 74 where a disk or a file failed, 1 where the store says no.
  var status: Int32 {
    switch self {
    case .inputOutput, .full, .unknownOutcome, .closed: CommandFailure.inputOutput
    default: CommandFailure.refused
    }
  }
}

extension GitError {
  /// The exit status: 74 where there is nothing to read from, 1 where the history is not one to import.
  var status: Int32 {
    switch kind {
    case .gitMissing, .notARepository, .failed: CommandFailure.inputOutput
    default: CommandFailure.refused
    }
  }
}

/// A file that could not be read or written.
struct FileFailure: Error, CustomStringConvertible {
  /// What was tried, with the path.
  let action: String
  /// The number of the error.
  let code: Int32
  var advice: String?

  init(_ action: String, code: Int32 = errno, advice: String? = nil) {
    self.action = action
    self.code = code
    self.advice = advice
  }

  var description: String { "\(action): \(String(cString: strerror(code)))." }
}

/// Nobody reads what the command prints any more; it ends quietly.
struct BrokenPipe: Error {}
