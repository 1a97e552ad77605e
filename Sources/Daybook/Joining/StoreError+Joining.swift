import DaybookEngine

/// The errors of making nodes.
extension StoreError {
  init(unavailable address: JournalAddress, _ reason: String) {
    self.init(
      .unavailable, "The servers of \(address) cannot be reached: \(reason).",
      advice: "Check the address, and that JetStream is enabled.")
  }

  static func occupied(_ address: JournalAddress) -> StoreError {
    StoreError(
      .exists, "The stream \(address) holds a store already.", advice: .joinStream)
  }

  static func inUse(_ path: String) -> StoreError {
    StoreError(
      .busy, "A process has the store \(path) open.", advice: "End all programs that use it, and try again.")
  }
}
