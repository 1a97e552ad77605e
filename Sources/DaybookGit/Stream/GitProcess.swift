import Dispatch
import Foundation
import Synchronization

/// A running git command with its output.
///
/// The command has no input, and its standard error is kept for an error message. At the end of its output the process
/// is awaited, and a status other than 0 throws, so that output which was cut never seems complete. A caller that stops
/// earlier calls `stop`; releasing the last reference does the same.
package final class GitProcess: ByteSource {
  private let process = Process()
  private let output: FileHandle
  private let errors = ErrorText()
  private let exit = DispatchSemaphore(value: 0)
  private let command: String
  private var isReaped = false

  /// Starts git.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after `git -C <repository>`.
  ///   - repository: A directory in the repository.
  /// - Throws: `GitError` with kind `.gitMissing` if there is no git, `.failed` if it cannot be started.
  package init(_ arguments: [String], in repository: String) throws {
    command = "git " + (arguments.first ?? "")
    let standardOutput = Pipe()
    let standardError = Pipe()
    output = standardOutput.fileHandleForReading
    process.executableURL = try GitEnvironment.executable()
    process.arguments = ["-C", repository] + arguments
    process.environment = GitEnvironment.variables()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = standardOutput
    process.standardError = standardError
    process.terminationHandler = { [exit] _ in exit.signal() }
    do {
      try process.run()
    } catch {
      isReaped = true
      throw GitError(kind: .failed, message: "git cannot be started: \(error)")
    }
    errors.collect(from: standardError.fileHandleForReading)
  }

  deinit {
    stop()
  }

  /// Returns the next bytes of the command's output.
  ///
  /// - Throws: `GitError` with kind `.failed` at the end of the output, if the command failed.
  package func read(upTo count: Int) throws -> [UInt8] {
    guard let data = try output.read(upToCount: count), !data.isEmpty else {
      try finish()
      return []
    }
    return Array(data)
  }

  /// Waits for the command to end, and discards the rest of its output.
  ///
  /// - Throws: `GitError` with kind `.failed` if it ends with a status other than 0.
  package func finish() throws {
    let status = wait()
    guard status != 0 else { return }
    throw GitError(kind: .failed, message: "`\(command)` failed with status \(status): \(errors.text)")
  }

  /// Stops the command if it still runs, whatever output remains.
  package func stop() {
    guard !isReaped else { return }
    process.terminate()
    _ = wait()
  }

  /// Waits for the command to end.
  ///
  /// - Returns: Its status, or the number of the signal that ended it.
  private func wait() -> Int32 {
    if !isReaped {
      // A command that still writes would wait for a reader without end; closing the pipe ends it.
      try? output.close()  // Closing a pipe for reading loses no data, and a failure needs no action.
      exit.wait()
      isReaped = true
    }
    return process.terminationStatus
  }
}

/// The last lines of a command's standard error.
///
/// They are read as they arrive, so that the command never waits for a reader.
private final class ErrorText: Sendable {
  private static let limit = 8 << 10
  private let bytes = Mutex<[UInt8]>([])
  private let group = DispatchGroup()

  func collect(from handle: FileHandle) {
    DispatchQueue.global().async(group: group) { [self] in
      // An error in reading ends the text, which only explains another error.
      while let data = try? handle.read(upToCount: 512), !data.isEmpty {
        bytes.withLock { $0 = ($0 + data).suffix(Self.limit) }
      }
    }
  }

  /// The text, after the command has ended.
  var text: String {
    group.wait()
    let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? "it says nothing" : trimmed
  }
}
