import DaybookEngine

extension StoreFormat {
  /// - Throws: `StoreError` with the code `newerFormat` if the store cannot be opened, or the policy forbids it.
  func check(_ policy: StoreOptions.NewerVersionPolicy, path: String) throws(StoreError) {
    if isKnown { return }
    guard isReadable else {
      throw StoreError(
        .newerFormat,
        "The store \(path) has format \(version); this version of Daybook reads up to \(JournalMeta.formatVersion).",
        advice: "Update Daybook.")
    }
    guard policy == .fail else { return }
    throw StoreError(
      .newerFormat,
      "The store \(path) has format \(version), of which this version of Daybook knows \(JournalMeta.formatVersion).",
      advice: "Update Daybook, or open the store for reading what is known.")
  }

  /// - Throws: `StoreError` with the code `newerFormat` if the store may only be read.
  func checkWritable(_ policy: StoreOptions.NewerVersionPolicy, path: String) throws(StoreError) {
    if isKnown || policy == .ignore { return }
    throw StoreError(
      .newerFormat, "The store \(path) has format \(version), and is opened only for reading what is known of it.",
      advice: "Update Daybook to write to it.")
  }
}
