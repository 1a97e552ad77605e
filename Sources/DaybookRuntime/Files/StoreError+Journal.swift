import DaybookEngine

extension StoreError {
  /// The error of a store whose kind of servers is not given.
  package init(unreachableJournalOf path: String) {
    self.init(
      .readOnly, "The journal of \(path) is replicated, and this program cannot reach its servers.",
      advice: "Link the library DaybookJetStream, and set `StoreOptions.journal` to `.jetStream()`.")
  }
}
