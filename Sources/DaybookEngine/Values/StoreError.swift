import DaybookModel
import DaybookQuery
import Foundation

/// An error of a store.
///
/// Programs use the ``code``; ``message`` describes the fault and the value concerned, and ``advice`` the next step. A
/// write that throws has written nothing, except with the code ``Code/unknownOutcome``.
public struct StoreError: Error, Sendable {
  /// The kind of the error, for programs.
  public let code: Code
  /// The fault, and the value concerned.
  public let message: String
  /// The suggested next step, in terms of this library's interface.
  public var advice: String? { remedy?.text }
  package let remedy: Remedy?
  /// With ``Code/conditionFailed``: the changed object or request, and the commits.
  public let conflict: AppendConflict?
  /// With ``Code/constraint``: the rule of the model that an object would break; `nil` for a delete rule.
  public let failure: ConstraintFailure?
  /// With ``Code/conflict`` of a context: what later commits changed too, undecided; empty for other errors.
  public let editingConflicts: [EditingConflict]
  /// The directory of the damaged environment, if one was found damaged.
  package let damagedPath: String?

  package init(
    _ code: Code, _ message: String, advice remedy: Remedy? = nil, conflict: AppendConflict? = nil,
    failure: ConstraintFailure? = nil, editingConflicts: [EditingConflict] = [], damagedPath: String? = nil
  ) {
    self.failure = failure
    self.editingConflicts = editingConflicts
    self.damagedPath = damagedPath
    self.code = code
    self.message = message
    self.remedy = remedy
    self.conflict = conflict
  }

  /// The kinds of errors. Later versions may add more.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private init(_ description: String) { self.description = description }

    /// The object, entity, attribute, relationship, commit or store does not exist.
    public static let notFound = Code("notFound")
    /// The object id or path exists already.
    public static let exists = Code("exists")
    /// A short identity matches several objects.
    package static let ambiguous = Code("ambiguous")
    /// A value is not of its attribute's type, or is not allowed for it; or a sum or an average that is read is not a
    /// value of its type.
    public static let badValue = Code("badValue")
    /// The model is invalid, or differs from the store's in a way that cannot be applied.
    public static let badModel = Code("badModel")
    /// A request or its filter is invalid.
    public static let badRequest = Code("badRequest")
    /// A rule of the model refuses: a required value or relationship is missing, a unique value is taken, a value breaks a
    /// rule of its attribute or an object a rule of its entity, or a delete rule keeps an object.
    public static let constraint = Code("constraint")
    /// The store, or a file given to it, is damaged.
    public static let damaged = Code("damaged")
    /// A newer version of Daybook wrote the store or file.
    public static let newerFormat = Code("newerFormat")
    /// The path contains no store.
    public static let notAStore = Code("notAStore")
    /// A commit exceeds the limits.
    public static let tooLarge = Code("tooLarge")
    /// Another writer or reader blocks the operation; retrying helps.
    public static let busy = Code("busy")
    /// Work took longer than its limit: ``StoreOptions/writeEvaluationTimeLimit``, or the one of a caller.
    public static let timedOut = Code("timedOut")
    /// The store is on a volume that is mounted read-only.
    public static let readOnly = Code("readOnly")
    /// A write was begun inside a write of the same thread.
    public static let nestedWrite = Code("nestedWrite")
    /// The disk, or the address space reserved for the store, is full. Nothing was lost.
    public static let full = Code("full")
    /// Reading or writing a file failed.
    public static let inputOutput = Code("inputOutput")
    /// The disk failed, or the servers of the replicated journal did not answer, while a commit was written, which may or
    /// may not be in the journal. After a failure of the disk open the store again; retry with the same commit id.
    public static let unknownOutcome = Code("unknownOutcome")
    /// The servers of the replicated journal cannot be reached; nothing was written, and the store can be read.
    public static let unavailable = Code("unavailable")
    /// The store was closed, or became unusable after a disk failure; open it again.
    public static let closed = Code("closed")
    /// The store's directory was removed, moved or replaced while the store was open; nothing was written. What was read
    /// before can still be read. Close the store, and open the one that is at the path.
    public static let displaced = Code("displaced")
    /// A retained view of the past has outgrown its limit; read that position again.
    public static let expired = Code("expired")
    /// A projection has stopped at a commit that it could not apply; skip or retry the commit.
    public static let projectionStopped = Code("projectionStopped")
    /// The rows of a projection do not exist here, and this process lacks the projection; open the store with the program
    /// that has it.
    public static let notBuilt = Code("notBuilt")
    /// The append condition of a write does not hold; ``StoreError/conflict`` has the reason.
    public static let conditionFailed = Code("conditionFailed")
    /// Later commits changed what an undo or the edits of a context change; the journals of two stores, or of a node and
    /// its stream, differ where they must be equal; or other nodes were faster with each attempt of a write.
    public static let conflict = Code("conflict")
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    // A message with a list ends in its last line.
    advice.map { message.contains("\n") ? "\(message)\n\($0)" : "\(message) \($0)" } ?? message
  }
}

/// What a user interface shows for an error.
extension StoreError: LocalizedError {
  public var errorDescription: String? { message }
  public var recoverySuggestion: String? { advice }
}

extension StoreError {
  /// Makes the error for a commit that cannot be read.
  package init(_ fault: CommitFault, at position: Position) {
    switch fault {
    case .newerFormat(let version):
      self.init(
        .newerFormat,
        "Commit \(position) has format \(version); this version of Daybook reads up to \(CommitHeader.formatVersion).",
        advice: "Update Daybook.")
    case .malformed(let bytes):
      self.init(
        .damaged, "Commit \(position) is damaged: \(bytes).", advice: .verifyAndRestore)
    }
  }

  /// Makes the error for a commit whose bytes in the journal are damaged.
  ///
  /// - Parameter what: The fault, as the end of a sentence that begins with the position.
  package init(damaged position: Position, _ what: String) {
    self.init(.damaged, "Commit \(position) \(what).", advice: .verifyAndRestore)
  }

  /// Makes the error for a commit that the journal lacks.
  package init(missing position: Position) {
    self.init(
      .damaged, "The journal has no commit \(position).", advice: .verifyAndRestore)
  }

  /// Returns the error for a position that a kept view cannot show: too much has changed since.
  package static func expired(_ position: Position) -> StoreError {
    StoreError(
      .expired, "The result at position \(position) cannot be shown any more: too much has changed since.",
      advice: "Continue with the next difference, or fetch that position again.")
  }

  /// Makes the error for a stored value that does not fit a type.
  package static func mismatch(_ value: Value, _ type: Any.Type) -> StoreError {
    guard !value.isNull else {
      return StoreError(.badValue, "there is no value, and \(type) needs one", advice: "Make the property optional.")
    }
    // Data may have megabytes.
    let text = value.description
    let shown = text.utf8.count > 100 ? "\(text.prefix(50))…" : text
    return StoreError(.badValue, "“\(shown)” is not a value of \(type)")
  }
}

/// The reason why an ``AppendCondition`` does not hold.
public struct AppendConflict: Hashable, Sendable {
  /// The object that was to be untouched; `nil` if a request's result was to be unchanged.
  public let object: ObjectID?
  /// The request whose result was to be unchanged; `nil` for an object.
  package let fetch: FetchRequest?
  /// The position that the condition named.
  public let since: Position
  /// The commits after ``since`` that changed it, rising.
  ///
  /// All of them for a request; for an object the last ones, at most 256.
  public let positions: [Position]
  /// The head when the condition was checked.
  public let head: Position

  /// The most commits that are reported for an object.
  package static let maximumPositionCount = 256

  package init(
    object: ObjectID? = nil, fetch: FetchRequest? = nil, since: Position, positions: [Position], head: Position
  ) {
    (self.object, self.fetch) = (object, fetch)
    self.since = since
    self.positions = positions
    self.head = head
  }
}
