import DaybookEngine
import DaybookModel
import DaybookQuery
import Foundation
import LMDB
import WorkLimits

extension StoreError {
  /// Translates an error of a lower layer to a `StoreError`; returns other errors unchanged.
  package static func translating(_ error: any Error) -> any Error {
    switch error {
    case let error as LMDBError: error.kind == .cancelled ? CancellationError() : StoreError(error)
    case WorkLimitExceeded.cancelled: CancellationError()
    case WorkLimitExceeded.time(let limit): StoreError(timedOutAfter: limit.description)
    case let error as MalformedBytes:
      StoreError(.damaged, "A row of the store is damaged: \(error).", advice: .verify)
    case let error as CommitFault: StoreError(error, at: .empty)
    case let error as LargeValueFault: StoreError(error)
    case let error as ProjectionFault:
      StoreError(.damaged, "The store contradicts itself: \(error).", advice: .verify)
    case let error as AggregateFault:
      StoreError(
        .badValue, "\(error).", advice: "Change the numbers, or begin the filter with what leaves this object out.")
    case let error as UnkeptChanges: StoreError(unbuiltProjection: error.projection)
    case let error as AwaitedRows: StoreError(awaitedProjection: error.projection)
    default: error
    }
  }

  /// Whether an error reports that another writer has the lock.
  package static func isOfBusyWriter(_ error: any Error) -> Bool {
    switch error {
    case let error as LMDBError: error.kind == .writerBusy
    case let error as StoreError: error.code == .busy
    default: false
    }
  }

  /// Whether a node that lacks commits of other nodes may have been wrong to refuse a write.
  package var dependsOnState: Bool {
    [.notFound, .exists, .ambiguous, .constraint, .conditionFailed].contains(code)
  }

  /// Translates an error of reading a large value.
  init(_ fault: LargeValueFault) {
    let message = "\(fault).".prefix(1).uppercased() + "\(fault).".dropFirst()
    switch fault {
    case .noSource: self.init(.badRequest, message, advice: "Read the value from an object of the store.")
    case .damaged: self.init(.damaged, message, advice: .verifyAndRestore)
    }
  }

  /// - Parameter limit: The time that the work was allowed.
  private init(timedOutAfter limit: String) {
    self.init(
      .timedOut, "It took longer than \(limit), which is its limit; nothing was changed.",
      advice: "Ask for less: a filter that an index serves, fewer rows, shorter texts, or a simpler rule.")
  }

  /// Translates an error of the storage engine.
  package init(_ error: LMDBError) {
    switch error.kind {
    case .timeLimit:
      self.init(timedOutAfter: error.detail)
      return
    case .alreadyOpen:
      self.init(openInThisProcess: error.path)
      return
    default: break
    }
    let code: Code =
      switch error.kind {
      case .mapFull, .diskFull, .fileTooLarge: .full
      case .readersFull, .mapResized, .busy, .writerBusy, .temporarilyUnavailable, .lockLost: .busy
      case .nestedWrite: .nestedWrite
      case .closed: .closed
      case .displaced: .displaced
      case .alreadyExists: .exists
      case .noSuchFile: .notFound
      case .pageNotFound, .corrupted, .cursorFull, .pageFull, .checksumMismatch: .damaged
      case .invalidFile, .versionMismatch, .notRegularFile: .notAStore
      case .transactionFull: .tooLarge
      default: .inputOutput
      }
    self.init(code, "\(error)", damagedPath: error.isDamage ? error.path : nil)
  }

  /// The error of opening a store a second time in one process, which would lose LMDB's locks.
  private init(openInThisProcess path: String) {
    self.init(
      .exists, "The store is open in this process already: \(path).",
      advice: "Use that `Store`, or close it first: it stays open while a row, a result or a feed of it is in use.")
  }

  /// Makes the error for an `errno`.
  init(systemError code: CInt, _ verb: String, _ path: String) {
    let reason = String(cString: strerror(code))
    switch code {
    case EEXIST: self.init(.exists, "\(path) exists already.", advice: "Choose another path, or remove it.")
    case ENOENT: self.init(.notFound, "Cannot \(verb) \(path): there is no such directory.", advice: "Check the path.")
    case ENOSPC, EDQUOT, EFBIG:
      self.init(.full, "Cannot \(verb) \(path): \(reason).", advice: "Make room and try again.")
    default: self.init(.inputOutput, "Cannot \(verb) \(path): \(reason).")
    }
  }

  /// The error of reading rows that another writer keeps this process from making.
  init(awaitedProjection name: String) {
    self.init(
      .notFound, "The projection \(name) has no rows yet.", advice: "Wait for it with `StoreProjection.wait(for:)`.")
  }

  init(unbuiltProjection name: String) {
    self.init(
      .notBuilt, "The rows of the projection \(name) are not built here.",
      advice: "Open the store with the program that has the projection \(name).")
  }
}
