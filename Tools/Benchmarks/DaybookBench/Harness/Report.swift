import Foundation

/// All that a run measured, for `--json`. Times are in seconds.
struct Report: Codable {
  let machine: MachineFacts
  let settings: Settings
  var jobs: [JobResult] = []

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: file)
  }

  /// Reads what a run wrote.
  ///
  /// - Throws: `DecodingError` for a file that this version of the program did not write.
  init(from file: URL) throws {
    self = try JSONDecoder().decode(Report.self, from: Data(contentsOf: file))
  }

  init(machine: MachineFacts, settings: Settings) {
    (self.machine, self.settings) = (machine, settings)
  }
}
