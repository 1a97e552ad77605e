import Daybook
import DaybookModel

extension QuarantinedEvent {
  package var json: JSONValue {
    ["event": .string("\(address)"), "state": .string(state.rawValue), "reason": .string(reason)]
  }
}
