import DaybookModel

/// What a copy of a store holds: the answer of a backup, a restore and a compaction.
///
/// There are three ways to copy a store, all of them safe while others write to it:
///
/// | | what is written | for |
/// |---|---|---|
/// | backup | one file: the journal without its free pages | keeping |
/// | restore | a store, from such a file | coming back |
/// | compact | a store, with journal and projections packed | going on in a smaller place |
///
///     let copy = try StoreCopy.backup(storeAt: "recipes.daybook", to: "recipes.backup")
///     print(copy.head, copy.hash)      // note them down: `verify --expect` and a restore can check them
///     try StoreCopy.restore("recipes.backup", to: "recovered.daybook")
///
/// A copy keeps the identity of the store. It is verified before it gets its name, so what has the name is right and on
/// disk; whatever fails, a full disk included, leaves nothing. Nothing is ever overwritten.
public struct StoreCopy: Sendable, Hashable {
  /// The last commit that the copy holds.
  public let head: Position
  /// The hash of that commit.
  public let hash: Digest
  /// What the journal takes in the copy.
  public let journalSizeInBytes: Int
  /// What a verification reports of the journal although it is whole: events that contradict each other, or a rule of the
  /// model that its state breaks. The copy has it too. Empty as a rule.
  public let warnings: [StoreVerification.Fault]
}

extension StoreCopy {
  /// Writes the journal of a store that this process does not have open to one file.
  ///
  /// The projections are not in it; they are built when a restored store is opened. They may even be damaged.
  ///
  /// - Parameters:
  ///   - path: The store; other processes may have it open and write to it.
  ///   - file: The file to make, which must not exist. It can be read by its owner only.
  ///   - options: How the store's journal is opened.
  ///   - progress: Told now and then how far it is.
  /// - Throws: `StoreError`: `exists` if the file is there, or this process has the store open; `damaged` if the journal
  ///   or the copy is, as ``StoreVerification/isJournalWhole`` says; `full`, `inputOutput`, `notFound`, `notAStore`.
  /// - Complexity: That of copying and of a verification: all events are folded once.
  @discardableResult
  public static func backup(
    storeAt path: String, to file: String, options: StoreOptions = StoreOptions(),
    progress: ((Progress) -> Void)? = nil
  ) throws -> StoreCopy {
    try JournalCopier(options: options, progress: progress).withJournal(ofStoreAt: path) { copier, journal in
      try copier.backup(journal, to: file)
    }
  }

  /// Makes a store of a backup.
  ///
  /// The file counts as untrusted and is verified in full before the store gets its name.
  ///
  /// - Parameters:
  ///   - file: A file that a backup was written to; or another store, whose journal is taken.
  ///   - path: The store to make, which must not exist.
  ///   - options: How the new store's journal is opened.
  ///   - progress: Told now and then how far it is.
  /// - Throws: `StoreError`: `exists` if something is at the path; `damaged` if the file is; `notAStore` if it never was
  ///   a backup; `full`, `inputOutput`, `notFound`.
  @discardableResult
  public static func restore(
    _ file: String, to path: String, options: StoreOptions = StoreOptions(), progress: ((Progress) -> Void)? = nil
  ) throws -> StoreCopy {
    do {
      return try JournalCopier(options: options, progress: progress).restore(file, to: path)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a second store with the same commits, which takes as little room as they need.
  ///
  /// After many deletions and large commits a store's files keep room that later commits use again. To give it back,
  /// compact the store to a new path while nobody writes to it, and put the new directory in the place of the old one.
  ///
  /// - Parameters:
  ///   - path: The store.
  ///   - target: The store to make, which must not exist: journal without free pages, projections built anew.
  ///   - options: How the journals of both are opened.
  ///   - progress: Told now and then how far it is.
  /// - Throws: As ``backup(storeAt:to:options:progress:)``.
  @discardableResult
  public static func compact(
    storeAt path: String, to target: String, options: StoreOptions = StoreOptions(),
    progress: ((Progress) -> Void)? = nil
  ) throws -> StoreCopy {
    try JournalCopier(options: options, progress: progress).withJournal(ofStoreAt: path) { copier, journal in
      try copier.compact(journal, to: target)
    }
  }
}

extension Store {
  /// Writes the journal to one file, while the store is in use; see ``StoreCopy/backup(storeAt:to:options:progress:)``.
  ///
  /// The backup holds the commits up to one that was the last at some time during the call.
  ///
  /// - Throws: As ``StoreCopy/backup(storeAt:to:options:progress:)``.
  @discardableResult
  public func backup(to file: String, progress: ((Progress) -> Void)? = nil) throws -> StoreCopy {
    try checkOpen()
    do {
      return try JournalCopier(options: options, progress: progress).backup(journalEnvironment, to: file)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a second store with the same commits and without free room, while this one is in use; see
  /// ``StoreCopy/compact(storeAt:to:options:progress:)``.
  ///
  /// - Throws: As ``StoreCopy/compact(storeAt:to:options:progress:)``.
  @discardableResult
  public func compact(to target: String, progress: ((Progress) -> Void)? = nil) throws -> StoreCopy {
    try checkOpen()
    do {
      return try JournalCopier(options: options, progress: progress).compact(journalEnvironment, to: target)
    } catch {
      throw StoreError.translating(error)
    }
  }
}
