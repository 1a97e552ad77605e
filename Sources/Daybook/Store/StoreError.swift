import DaybookModel
import LMDB

/// What a store says when it cannot do what it was asked.
///
/// The ``code`` is for programs, ``message`` says what was wrong and with which value, and ``advice`` what to do next.
/// A write that throws has left no trace, except with the code ``Code/unknownOutcome``.
public struct StoreError: Error, Sendable {
  /// The kind of the error, for programs.
  public let code: Code
  /// What was wrong, and with which value.
  public let message: String
  /// What to do next.
  public let advice: String?
  /// With ``Code/conditionFailed``: what was touched, and by which commits.
  public let conflict: AppendConflict?
  /// The directory of the environment that was found damaged, if one was.
  package let damagedPath: String?

  package init(
    _ code: Code, _ message: String, advice: String? = nil, conflict: AppendConflict? = nil, damagedPath: String? = nil
  ) {
    self.damagedPath = damagedPath
    self.code = code
    self.message = message
    self.advice = advice
    self.conflict = conflict
  }

  /// The kinds of errors. More may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private init(_ description: String) { self.description = description }

    /// There is no such object, entity, attribute, relationship, commit or store.
    public static let notFound = Code("notFound")
    /// Something is there already: an object of this id, a store at this path.
    public static let exists = Code("exists")
    /// A short identity stands for several objects.
    public static let ambiguous = Code("ambiguous")
    /// A value is not of its attribute's type, or is not allowed there.
    public static let badValue = Code("badValue")
    /// The model is wrong, or differs from the store's in a way that cannot be applied.
    public static let badModel = Code("badModel")
    /// A request or its filter is wrong.
    public static let badRequest = Code("badRequest")
    /// A required value or relationship is missing, a unique value is taken, or a delete rule refuses.
    public static let constraint = Code("constraint")
    /// The store, or a file given to it, is damaged.
    public static let damaged = Code("damaged")
    /// A newer version of Daybook wrote it.
    public static let newerFormat = Code("newerFormat")
    /// The path holds no store.
    public static let notAStore = Code("notAStore")
    /// A commit is larger than the limits.
    public static let tooLarge = Code("tooLarge")
    /// Another writer or reader is in the way; trying again helps.
    public static let busy = Code("busy")
    /// The store is on a volume that is mounted read-only.
    public static let readOnly = Code("readOnly")
    /// A write was begun inside a write of the same thread.
    public static let nestedWrite = Code("nestedWrite")
    /// The disk, or the address space reserved for the store, is full. Nothing was lost.
    public static let full = Code("full")
    /// Reading or writing a file failed.
    public static let inputOutput = Code("inputOutput")
    /// The disk failed while a commit was written: it may be there or not. Open the store again, and retry with the
    /// same commit id.
    public static let unknownOutcome = Code("unknownOutcome")
    /// The store was closed, or gave up after a failed disk; open it again.
    public static let closed = Code("closed")
    /// A view of the past that was kept has outgrown its limit; read that position anew.
    public static let expired = Code("expired")
    /// A projection has stopped at an event that it could not take in; skip or retry it.
    public static let projectionStopped = Code("projectionStopped")
    /// The condition of a write does not hold any more; ``StoreError/conflict`` says why.
    public static let conditionFailed = Code("conditionFailed")
    /// The journals of two stores differ where they must not.
    public static let conflict = Code("conflict")
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    advice.map { "\(message) \($0)" } ?? message
  }
}

extension StoreError {
  /// What a commit that cannot be read means to the caller.
  package init(_ fault: CommitFault, at position: Position) {
    switch fault {
    case .newerFormat(let version):
      self.init(
        .newerFormat,
        "Commit \(position) has format \(version); this version of Daybook reads up to \(CommitHeader.formatVersion).",
        advice: "Update Daybook.")
    case .malformed(let bytes):
      self.init(
        .damaged, "Commit \(position) is damaged: \(bytes).", advice: "Run `daybook verify`, and restore a backup.")
    }
  }

  /// A commit whose bytes in the journal are not what was written.
  ///
  /// - Parameter what: What is wrong with it, reading on after its position.
  package init(damaged position: Position, _ what: String) {
    self.init(.damaged, "Commit \(position) \(what).", advice: "Run `daybook verify`, and restore a backup.")
  }

  /// A commit whose events do not fit the state before it.
  ///
  /// - Parameter damagedPath: The environment that may be at fault; nil if only the journal can be.
  package init(contradiction fault: ProjectionFault, at position: Position, damagedPath: String? = nil) {
    self.init(
      .damaged, "Commit \(position) does not fit the state before it: \(fault).",
      advice: "Run `daybook verify`, and restore a backup.", damagedPath: damagedPath)
  }

  /// A commit that the journal should have.
  package init(missing position: Position) {
    self.init(
      .damaged, "The journal has no commit \(position).", advice: "Run `daybook verify`, and restore a backup.")
  }
}
