import Foundation

/// All that a run measured, for `--json`. Times are in seconds.
struct Report: Encodable {
  let machine: MachineFacts
  let settings: Settings
  var jobs: [JobResult] = []

  func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: file)
  }
}
