extension Store {
  /// The store's part in a replicated journal, as the file `journal.json` of the store specifies; `nil` if the journal is
  /// not replicated.
  public var replication: Replication? { files.journalFile == nil ? nil : Replication(store: self) }
}
