import Foundation

/// A process of its own writes all objects into a new store, keeps a live result of them, and reports its memory.
final class DaybookMemory: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let settings: Settings
  private var path: String?

  init(settings: Settings) {
    self.settings = settings
  }

  func beginRound(_ round: Int, in directory: URL) {
    path = directory.appending(path: "store").path
  }

  func run(round: Int) throws -> Work {
    let (process, output) = try startingChild("measure-memory", prepared(path), "\(settings.rows)")
    let text = try output.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError.commandFailed("measure-memory", status: process.terminationStatus)
    }
    let usage = try JSONDecoder().decode(MemoryUsage.self, from: text)
    var figures: [Figure: Double] = [:]
    figures[.restingBytes] = usage.restingBytes.map(Double.init)
    figures[.peakBytes] = usage.peakBytes.map(Double.init)
    return Work(operations: settings.rows, elapsed: .seconds(usage.seconds), figures: figures)
  }
}

/// What the child measured of itself.
struct MemoryUsage: Codable {
  /// The time in which all objects were written.
  let seconds: Double
  /// The memory with the store open and one live result, or `nil` if the system does not provide it.
  let restingBytes: Int?
  /// The largest memory while the objects were written.
  let peakBytes: Int?
}
