import Daybook
import DaybookModel

extension UndoOutcome {
  /// Returns the output of `undo --json` and `redo --json`.
  ///
  /// - Parameter verb: `undoes` or `redoes`.
  package static func json(of outcomes: [UndoOutcome], as verb: String) -> JSONValue {
    let commits = outcomes.map { outcome in
      JSONValue.object([
        (key: "position", value: outcome.position.json), (key: verb, value: [outcome.targets.lowerBound.json]),
        (key: "leftOut", value: .array(outcome.omissions.map { .string($0) })),
      ])
    }
    return ["position": outcomes.last?.position.json ?? .null, "commits": .array(commits)]
  }
}
