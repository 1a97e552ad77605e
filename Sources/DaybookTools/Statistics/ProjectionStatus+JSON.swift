import Daybook
import DaybookModel

extension ProjectionStatus {
  package var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("version", .integer(Int64(version))),
      ("checkpoint", .integer(Int64(clamping: checkpoint.number))), ("lag", .integer(Int64(clamping: lag))),
      ("quarantined", .integer(Int64(quarantineCount))),
    ]
    if let stop { members.append(("stopped", stop.json)) }
    if let rebuild { members.append(("rebuild", .integer(Int64(clamping: rebuild.number)))) }
    return .object(members)
  }
}
