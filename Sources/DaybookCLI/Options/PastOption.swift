#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

/// The position at which a command reads.
struct PastOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the store as it was: a number, head, or a time, which is that of the last commit not recorded after it.",
      valueName: "position"))
  var at: PositionText?

  @Option(help: ArgumentHelp("How long to wait for a position beyond the head.", valueName: "seconds"))
  var wait = 0.0

  func validate() throws {
    if !(0...86_400).contains(wait) { throw ValidationError("--wait takes a number of seconds from 0.") }
    if wait > 0, at == nil { throw ValidationError("--wait needs --at.") }
  }

  /// Runs `body` with a reader of the position, or of the head if there is no argument.
  ///
  /// Printing does not wait for the reader of the output while the store's transaction is live.
  func read<Result>(_ store: Store, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try awaitPosition(in: store)
    return try Console.standard.printing(from: store) { reader in
      guard let at else { return try body(reader) }
      return try reader.read(at: try at.resolve(in: reader), body)
    }
  }

  /// Waits until the store has the position, or the time is over; reading then reports what is missing.
  private func awaitPosition(in store: Store) throws {
    guard wait > 0, case .number(let position)? = at else { return }
    let deadline = ContinuousClock.now + .seconds(wait)
    var isReachable = store.replication != nil
    while try store.position < position, ContinuousClock.now < deadline {
      // Perhaps no process of this node follows the stream.
      if isReachable { isReachable = try take(from: store) }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// Takes the commits of other nodes, and returns whether that was possible; the position may come by another process.
  private func take(from store: Store) throws -> Bool {
    do {
      try store.replication?.wait()
      return true
    } catch let error as StoreError where [.unavailable, .conflict, .readOnly].contains(error.code) {
      return false
    }
  }
}

#endif
