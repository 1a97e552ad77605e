import DaybookModel

extension CommitLimits {
  /// Throws if a commit is too large.
  ///
  /// - Parameter size: The bytes of the commit, or of its events so far.
  /// - Throws: `StoreError` with the code `tooLarge`.
  package static func check(size: Int) throws {
    guard size > maximumSizeInBytes else { return }
    throw StoreError(
      .tooLarge, "The commit has \(size) bytes; \(maximumSizeInBytes) are allowed.",
      advice: "Write it in several commits.")
  }
}
