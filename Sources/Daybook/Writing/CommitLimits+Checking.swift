import DaybookModel

extension CommitLimits {
  /// Refuses a commit that is too large.
  ///
  /// - Parameter size: Its bytes, or those of its events so far.
  /// - Throws: `StoreError` with the code `tooLarge`.
  static func check(size: Int) throws {
    guard size > maximumSizeInBytes else { return }
    throw StoreError(
      .tooLarge, "The commit has \(size) bytes; \(maximumSizeInBytes) are allowed.",
      advice: "Write it in several commits.")
  }
}
