import DaybookRuntime

extension Store {
  /// Writes the journal of a store that this process does not have open to one file.
  ///
  ///     let copy = try Store.backUp(at: "recipes.daybook", to: "recipes.backup")
  ///     if let hash = copy.hash { print(copy.head, hash) }   // note them down: verifying can expect them
  ///     try Store.restore("recipes.backup", to: "recovered.daybook")
  ///
  /// There are three ways to copy a store, all of them safe while it is written to:
  ///
  /// | | written | purpose |
  /// |---|---|---|
  /// | backup | one file: the journal without its free pages | keeping a copy |
  /// | restore | a store, from such a file | recovery |
  /// | compact | a store, with compact journal and projections | saving space |
  ///
  /// A copy keeps the identity of the store. It is verified before it gets its final name, so a file or store with that
  /// name is complete and on disk; any failure, such as a full disk, leaves nothing. Nothing is ever overwritten.
  ///
  /// The backup omits the projections, which may even be damaged; opening a restored store builds them.
  ///
  /// - Parameters:
  ///   - path: The store; other processes may have it open and write to it.
  ///   - file: The file to make, which must not exist. Only its owner can read it.
  ///   - options: The options for the store's journal.
  ///   - progress: Called repeatedly with the progress.
  /// - Returns: The verification of the copy's journal. It has faults if events contradict each other or the state breaks
  ///   a rule of the model, though the journal is whole: the copy contains them too.
  /// - Throws: `StoreError`: `exists` if the file exists, or if this process has the store open; `damaged` if the
  ///   journal or the copy is, as ``StoreVerification/isJournalWhole`` defines it; `full`, `inputOutput`, `notFound`,
  ///   `notAStore`.
  /// - Complexity: As copying plus a verification: all events are folded once.
  @discardableResult
  public static func backUp(
    at path: String, to file: String, options: StoreOptions = StoreOptions(),
    progress: ((StoreProgress) -> Void)? = nil
  ) throws -> StoreVerification {
    try JournalCopier(options: options, progress: progress).withJournal(ofStoreAt: path) { copier, journal in
      try copier.backup(journal, to: file)
    }
  }

  /// Makes a store from a backup.
  ///
  /// The file is treated as untrusted, and verified in full before the store gets its name.
  ///
  /// - Parameters:
  ///   - file: A backup file; or another store, whose journal is copied.
  ///   - path: The store to make, which must not exist.
  ///   - options: The options for the new store's journal.
  ///   - progress: Called repeatedly with the progress.
  /// - Throws: `StoreError`: `exists` if the path exists; `damaged` if the file is damaged; `notAStore` if it never was
  ///   a backup; `full`, `inputOutput`, `notFound`.
  @discardableResult
  public static func restore(
    _ file: String, to path: String, options: StoreOptions = StoreOptions(), progress: ((StoreProgress) -> Void)? = nil
  ) throws -> StoreVerification {
    do {
      return try JournalCopier(options: options, progress: progress).restore(file, to: path)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a second store with the same commits and without unused space.
  ///
  /// After many deletions and large commits a store's files contain unused space, which later commits use again. To
  /// free it, compact the store to a new path while it is not written to, and replace the old directory by the new one.
  ///
  /// - Parameters:
  ///   - path: The store.
  ///   - target: The store to make, which must not exist: journal without free pages, projections rebuilt.
  ///   - options: The options for the journals of both.
  ///   - progress: Called repeatedly with the progress.
  /// - Throws: The same errors as ``backUp(at:to:options:progress:)``.
  @discardableResult
  public static func compact(
    at path: String, to target: String, options: StoreOptions = StoreOptions(),
    progress: ((StoreProgress) -> Void)? = nil
  ) throws -> StoreVerification {
    try JournalCopier(options: options, progress: progress).withJournal(ofStoreAt: path) { copier, journal in
      try copier.compact(journal, to: target)
    }
  }
}
