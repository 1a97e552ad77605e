import DaybookEngine
import DaybookRuntime

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
}
