import DaybookEngine
import DaybookModel
import DaybookQuery

/// What several requests read of the same commits, each part once: the changes, and the state before them.
///
/// It is valid only while the reader's transaction is.
package final class SharedSpan {
  /// The position of the state before the commits.
  let start: Position
  private let present: State
  private let journal: LMDBJournal
  private let limitInBytes: Int
  private var changes = Part<SpanChanges?>.unread
  private var former = Part<Reader?>.unread

  private enum Part<Content> {
    case unread
    case read(Content)
    /// The layers that lead to the state would exceed their limit.
    case tooLarge(SpanTooLarge)
  }

  /// - Parameters:
  ///   - reader: Reads the state after the commits.
  ///   - limit: The limit on the memory of the state before the commits, in bytes.
  package init(from start: Position, to reader: borrowing StoreReader, limitInBytes limit: Int) {
    self.start = start
    present = reader.present
    journal = reader.journal
    limitInBytes = limit
  }

  /// Returns what the commits changed in the rows of a request; `nil` if there are too many changes to share.
  ///
  /// - Throws: `SpanTooLarge`; `StoreError` with the code `damaged`.
  func netChanges(of request: ResolvedRequest, _ dependents: RequestDependents) throws -> NetChanges? {
    guard let changes = try sharedChanges() else { return nil }
    return try NetChanges(request, dependents, of: changes, new: present.reader) { try formerReader() }
  }

  private func sharedChanges() throws -> SpanChanges? {
    if case .read(let changes) = changes { return changes }
    let read = try SpanChanges(
      from: start.next, through: present.position, in: journal, model: present.reader.model)
    changes = .read(read)
    return read
  }

  /// Returns a reader of the state before the commits; `nil` for the empty state before the model.
  ///
  /// - Throws: `SpanTooLarge`.
  package func formerReader() throws -> Reader? {
    switch former {
    case .read(let reader): return reader
    case .tooLarge(let error): throw error
    case .unread: break
    }
    do {
      let reader =
        start == .empty
        ? nil
        : try present.rewound(to: start, in: journal, parts: .derived, limitInBytes: limitInBytes).reader
      former = .read(reader)
      return reader
    } catch let error as SpanTooLarge {
      former = .tooLarge(error)
      throw error
    }
  }
}
