import Daybook
import DaybookModel

extension QuarantinedCommit {
  package var json: JSONValue {
    [
      "position": .integer(Int64(clamping: position.number)), "state": .string(state.rawValue),
      "reason": .string(reason),
    ]
  }
}
