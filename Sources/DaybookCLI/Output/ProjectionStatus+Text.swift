#if Command

import Daybook

extension ProjectionStatus {
  /// The state of the projection, for users.
  var text: String {
    var parts = [lag == 0 ? "up to date" : "\(lag) behind"]
    if let stop { parts = ["stopped at \(stop.position)"] }
    if quarantineCount > 0 { parts.append("\(quarantineCount) left out") }
    if let rebuild { parts.append("rebuilt up to \(rebuild)") }
    return parts.joined(separator: ", ")
  }
}

#endif
