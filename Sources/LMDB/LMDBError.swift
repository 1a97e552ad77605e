import WorkLimits

/// An error of the storage engine: its class, the operation, and the file or directory.
///
///     do {
///         try transaction.put(key, value, in: table)
///     } catch where error.isMapFull {
///         transaction.abort()
///         try environment.growMap(toAtLeast: 2 * environment.info.mapSizeInBytes)
///     }
///
/// An error is an operating fault and leaves memory and file consistent; a misuse of the API traps instead. The set of
/// kinds is closed, so that the compiler checks a switch over ``kind``; the raw ``code`` is kept for reports.
package struct LMDBError: Error, Hashable, Sendable {
  /// The class of the fault.
  package let kind: Kind
  /// The code that LMDB or the system returned; 0 for a refusal of this module.
  package let code: CInt
  /// The operation that failed.
  package let operation: Operation
  /// The directory or file concerned.
  package let path: String
  /// Further details, such as the name of the table; often empty.
  package let detail: String

  /// Creates an error of a class that has no code of its own.
  package init(_ kind: Kind, _ operation: Operation, path: String, detail: String = "") {
    self.init(kind: kind, code: 0, operation: operation, path: path, detail: detail)
  }

  /// Creates the error of work that has exceeded its limit; ``detail`` has the time.
  package init(_ excess: WorkLimitExceeded, _ operation: Operation, path: String) {
    switch excess {
    case .time(let limit): self.init(Kind.timeLimit, operation, path: path, detail: limit.description)
    // Without the name of the type, this initializer would call itself.
    case .cancelled: self.init(Kind.cancelled, operation, path: path)
    }
  }

  /// Creates an error from a return code of LMDB, or from an `errno`.
  package init(code: CInt, _ operation: Operation, path: String, detail: String = "") {
    self.init(kind: Kind(code: code), code: code, operation: operation, path: path, detail: detail)
  }

  private init(kind: Kind, code: CInt, operation: Operation, path: String, detail: String) {
    self.kind = kind
    self.code = code
    self.operation = operation
    self.path = path
    self.detail = detail
  }
}

extension LMDBError {
  /// An operation of this module that can fail.
  ///
  /// The raw value continues a sentence after "cannot".
  package enum Operation: String, Hashable, Sendable {
    case openEnvironment = "open the environment"
    case beginRead = "begin a read transaction"
    case beginWrite = "begin a write transaction"
    case commit = "commit the transaction"
    case openTable = "open the table"
    case dropTable = "drop the table"
    case clearTable = "clear the table"
    case listTables = "list the tables"
    case useTable = "use the table"
    case readValue = "read a value"
    case openCursor = "open a cursor"
    case moveCursor = "move a cursor"
    case putValue = "put a value"
    case deleteValue = "delete a value"
    case resizeMap = "resize the map"
    case checkReaders = "check the readers"
    case listReaders = "list the readers"
    case synchronize = "flush the environment to disk"
    case copy = "copy the environment"
    case readInformation = "read the environment's figures"
    case readFile = "read the file"
    case writeFile = "write the file"
    case inspectFile = "inspect the file"
    case createDirectory = "create the directory"
    case rename = "give the name"
    case flushFile = "flush the file to disk"
    case removeFile = "remove the file"
  }

  /// Whether the map's size was reached; no data was lost. Abort, grow the map, write again.
  package var isMapFull: Bool { kind == .mapFull }
  /// Whether all reader slots are taken by living processes.
  package var isReadersFull: Bool { kind == .readersFull }
  /// Whether the disk or the quota is full; no data was lost.
  package var isDiskFull: Bool { kind == .diskFull }

  /// Whether the file is damaged.
  package var isDamage: Bool {
    switch kind {
    case .checksumMismatch, .pageNotFound, .corrupted, .cursorFull, .pageFull, .invalidFile, .versionMismatch,
      .incompatible:
      true
    default: false
    }
  }

  /// Whether an error leaves it unknown if the commit is on disk, in a file that can be found.
  ///
  /// Such an error comes from a commit or a flush. The environment must be closed, opened and checked to find out.
  package var isUnknownOutcome: Bool {
    switch kind {
    case .inputOutput: operation == .commit || operation == .synchronize
    case .displaced: operation == .commit
    default: false
    }
  }
}

extension LMDBError: CustomStringConvertible {
  package var description: String {
    let subject = detail.isEmpty ? "" : " \(detail)"
    let number = code == 0 ? "" : " (code \(code))"
    let place = path.isEmpty ? "" : " in \(path)"
    return "cannot \(operation.rawValue)\(subject)\(place): \(kind.explanation)\(number). \(advice)"
  }

  private var advice: String {
    isUnknownOutcome && kind == .inputOutput
      ? "It is unknown whether the commit is on disk: close the store, check the disk, open it and verify."
      : kind.advice
  }
}
