import Daybook
import DaybookModel

/// The numbers of events in spans of positions of equal length, as a slider over all positions shows them.
package struct Histogram: Hashable, Sendable {
  /// A span of positions.
  package struct Bin: Hashable, Sendable {
    /// The first commit.
    package let first: Position
    /// The last commit.
    package let last: Position
    /// The number of events of all its commits.
    package internal(set) var events: Int
    /// The time when the first commit happened if it is known, else when it was recorded.
    package let time: Timestamp
  }

  /// The position at which it was read.
  package let position: Position
  /// The positions of all models, from the first on.
  package let models: [Position]
  /// The spans, which leave no position out.
  package let bins: [Bin]
}

extension Histogram {
  package var json: JSONValue {
    [
      "position": .integer(Int64(clamping: position.number)),
      "models": .array(models.map { .integer(Int64(clamping: $0.number)) }),
      "bins": .array(
        bins.map {
          [
            "from": .integer(Int64(clamping: $0.first.number)), "to": .integer(Int64(clamping: $0.last.number)),
            "events": .integer(Int64($0.events)), "time": .string($0.time.description),
          ]
        }),
    ]
  }
}
