import ArgumentParser
import Daybook
import Foundation

/// Begins to read a store, prints a line, and reads until it is killed. Only benchmarks run it.
struct HoldReader: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "hold-reader", shouldDisplay: false)

  @Argument var path: String

  func run() throws {
    let store = try Store(at: path)
    try store.read { _ in
      try FileHandle.standardOutput.write(contentsOf: Data("\n".utf8))
      while true { sleep(60) }
    }
  }
}
