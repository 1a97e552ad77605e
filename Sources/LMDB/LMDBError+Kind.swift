import CLMDB

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension LMDBError {
  /// The classes of errors.
  ///
  /// They cover every return code of `lmdb.h`, the relevant system errors, and this module's refusals.
  package enum Kind: Hashable, Sendable, CaseIterable {
    case keyExists, notFound, pageNotFound, corrupted, panic, versionMismatch, invalidFile, mapFull, tablesFull
    case readersFull, threadKeysFull, transactionFull, cursorFull, pageFull, mapResized, incompatible
    case badReaderSlot, badTransaction, badValueSize, badTable

    case diskFull, inputOutput, accessDenied, readOnlyFileSystem, noSuchFile, alreadyExists, notDirectory, nameTooLong
    case temporarilyUnavailable, outOfMemory, invalidArgument, tooManyOpenFiles, fileTooLarge, lockOwnerDied, system

    /// This process has the same file open already.
    case alreadyOpen
    /// The thread has a write transaction already, and would wait for it without end.
    case nestedWrite
    /// Other transactions of this process did not end in the time allowed.
    case busy
    /// The environment has been closed.
    case closed
    /// Another writer did not end in the time allowed.
    case writerBusy
    /// The work took longer than the limit of its caller; see `WorkLimit`.
    case timeLimit
    /// The work was given up by its caller; see `WorkLimit`.
    case cancelled
    /// The table does not exist in this snapshot.
    case tableMissing
    /// A value differs from the value written.
    case checksumMismatch
    /// A process has the environment open and has lost its lock, so no other process may open it.
    case lockLost
    /// The path does not lead to a regular file.
    case notRegularFile
    /// The file ends before the bytes asked for.
    case endOfFile
    /// The path no longer leads to the open file.
    case displaced

    /// Returns the class of a return code of LMDB (negative) or of an `errno` (positive).
    package init(code: CInt) {
      self = Self.engineKinds[code] ?? Self.systemKinds[code] ?? .system
    }
  }
}

extension LMDBError.Kind {
  private static let engineKinds: [CInt: Self] = [
    MDB_KEYEXIST: .keyExists, MDB_NOTFOUND: .notFound, MDB_PAGE_NOTFOUND: .pageNotFound, MDB_CORRUPTED: .corrupted,
    MDB_PANIC: .panic, MDB_VERSION_MISMATCH: .versionMismatch, MDB_INVALID: .invalidFile, MDB_MAP_FULL: .mapFull,
    MDB_DBS_FULL: .tablesFull, MDB_READERS_FULL: .readersFull, MDB_TLS_FULL: .threadKeysFull,
    MDB_TXN_FULL: .transactionFull, MDB_CURSOR_FULL: .cursorFull, MDB_PAGE_FULL: .pageFull,
    MDB_MAP_RESIZED: .mapResized, MDB_INCOMPATIBLE: .incompatible, MDB_BAD_RSLOT: .badReaderSlot,
    MDB_BAD_TXN: .badTransaction, MDB_BAD_VALSIZE: .badValueSize, MDB_BAD_DBI: .badTable,
  ]

  private static let systemKinds: [CInt: Self] = [
    ENOSPC: .diskFull, EDQUOT: .diskFull, EIO: .inputOutput, EACCES: .accessDenied, EPERM: .accessDenied,
    EROFS: .readOnlyFileSystem, ENOENT: .noSuchFile, EEXIST: .alreadyExists, ENOTEMPTY: .alreadyExists,
    ENOTDIR: .notDirectory, ENAMETOOLONG: .nameTooLong, EAGAIN: .temporarilyUnavailable, EBUSY: .temporarilyUnavailable,
    EINTR: .temporarilyUnavailable, ENOMEM: .outOfMemory, EINVAL: .invalidArgument, EMFILE: .tooManyOpenFiles,
    ENFILE: .tooManyOpenFiles, EFBIG: .fileTooLarge, EOWNERDEAD: .lockOwnerDied, ENOTRECOVERABLE: .lockOwnerDied,
  ]

  /// Explains the error, as half a sentence.
  package var explanation: String { words.explanation }
  /// Advises what to do about the error, as a sentence.
  package var advice: String { words.advice }

  private var words: (explanation: String, advice: String) {
    switch self {
    case .keyExists: ("the key exists, or an appended key does not rise", "Put it in place, or append in key order.")
    case .notFound: ("the key was not found", "Check the key.")
    case .pageNotFound: ("a page is missing; the file is damaged", "Verify the store and restore a backup.")
    case .corrupted: ("a page is of the wrong type; the file is damaged", "Verify the store and restore a backup.")
    case .panic: ("an earlier error left the environment unusable", "Close it, check the disk and open it again.")
    case .versionMismatch: ("another version of LMDB wrote the file", "Open it with that version and copy it.")
    case .invalidFile: ("the file is not an LMDB file, or it is damaged", "Check the path, or restore a backup.")
    case .mapFull: ("the map's size is reached", "Grow the map and write again; nothing was written.")
    case .tablesFull: ("all table handles are in use", "Open the environment with a larger maximumTables.")
    case .readersFull: ("all reader slots are in use", "End some readers, or use a larger maximumReaders.")
    case .threadKeysFull: ("all thread keys are in use", "Close other environments.")
    case .transactionFull: ("the transaction has too many dirty pages", "Write fewer changes at once.")
    case .cursorFull: ("a tree is too deep; the file is damaged", "Verify the store and restore a backup.")
    case .pageFull: ("a page has too little room; the file is damaged", "Verify the store and restore a backup.")
    case .mapResized: ("another process enlarged the file", "End this process's transactions and try again.")
    case .incompatible: ("the table is of another type", "Check the name; it may belong to another program.")
    case .badReaderSlot: ("a reader slot was reused wrongly", "Open the environment only once in a process.")
    case .badTransaction: ("the transaction failed before", "Abort it and begin another one.")
    case .badValueSize: ("a key is empty or longer than 511 bytes, or a value is too long", "Shorten it.")
    case .badTable: ("the table changed unexpectedly", "Open the table again.")
    case .diskFull: ("the disk or the quota is full", "Make room and write again; nothing was written.")
    case .inputOutput: ("the disk failed to read or write", "Check the disk, then open the store and verify it.")
    case .accessDenied: ("permission was denied", "Check owner and mode of directory and files.")
    case .readOnlyFileSystem: ("the file system is read-only", "Mount it writable, or copy the store elsewhere.")
    case .noSuchFile: ("it does not exist", "Check the path.")
    case .alreadyExists: ("it exists already", "Remove it or choose another path.")
    case .notDirectory: ("it is not a directory", "Check the path.")
    case .nameTooLong: ("the path, or a name in it, is too long for the file system", "Choose a shorter one.")
    case .temporarilyUnavailable: ("it is in use at this moment", "Try again.")
    case .outOfMemory: ("memory or address space ran out", "Lower the map size, or raise the process's limits.")
    case .invalidArgument: ("an argument is not valid here", "Check that table and transaction belong together.")
    case .tooManyOpenFiles: ("too many files are open", "Close some, or raise the limit.")
    case .fileTooLarge: ("the file system allows no larger file", "Move the store to another file system.")
    case .lockOwnerDied: ("a process died while it held the lock", "Close all processes of the store, open it again.")
    case .system: ("the system reported an error", "Look up the code.")
    case .alreadyOpen: ("it is open in this process already", "Share that environment; a second one loses commits.")
    case .nestedWrite: ("this thread has a write transaction already", "Use that one.")
    case .busy: ("other transactions of this process did not end in time", "End them and try again.")
    case .closed: ("it has been closed", "Open it again.")
    case .writerBusy: ("another writer did not end in time", "Try again when it has ended.")
    case .timeLimit: ("it took longer than its limit", "Ask for less, or allow more time.")
    case .cancelled: ("it was cancelled", "Try again.")
    case .tableMissing: ("the table does not exist in this snapshot", "Open the table again, in a new transaction.")
    case .checksumMismatch: ("a row's checksum does not match", "The file is damaged: verify the store.")
    case .lockLost:
      (
        "a process that has it open has lost its lock, as by copying the files of its own open store",
        "Close it in that process, or write to it there once, and try again."
      )
    case .notRegularFile: ("it is not a regular file", "Check the path.")
    case .displaced:
      (
        "its directory was removed, moved or replaced while it was open",
        "Close it, and put the directory back, or open the one that is at the path."
      )
    case .endOfFile: ("the file ends too early", "The file is damaged or still being written: verify it.")
    }
  }
}
