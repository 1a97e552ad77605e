import Foundation

/// A process of its own writes all objects into a new store, keeps a live result of them, and reports its memory.
final class DaybookMemory: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let settings: Settings
  private let isDerived: Bool
  private var path: String?

  /// - Parameter isDerived: Whether a projection with a row for each object is measured, after the objects were written,
  ///   instead of the writing.
  init(settings: Settings, isDerived: Bool = false) {
    self.settings = settings
    self.isDerived = isDerived
  }

  func beginRound(_ round: Int, in directory: URL) {
    path = directory.appending(path: "store").path
  }

  func run(round: Int) throws -> Work {
    let arguments = ["measure-memory", prepared(path), "\(settings.rows)"] + (isDerived ? ["--derived"] : [])
    let (process, output) = try startingChild(arguments)
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
  /// The time in which all objects were written, or a projection was made.
  let seconds: Double
  /// The memory with the store open and one live result, or `nil` if the system does not provide it.
  let restingBytes: Int?
  /// The largest memory in this time.
  let peakBytes: Int?
}
