#if Server

import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools

extension StoreReader {
  /// Returns the mark of the commit at a position, which must not be beyond the head.
  func mark(at position: Position) throws -> CommitMark {
    guard position > .empty else { return CommitMark(position, hash: .zero) }
    return CommitMark(position, hash: try journal.header(at: position).hash)
  }

  /// Returns whether the store has the commit that a client has seen, with the same hash.
  func has(_ mark: CommitMark) throws -> Bool {
    guard mark.position <= position else { return false }
    return try mark.hash == nil || mark.hash == self.mark(at: mark.position).hash
  }

  /// - Throws: `Problem`: 404 if the model has no such entity, 400 with the place for other names that it lacks.
  func check(_ request: FetchRequest) throws {
    guard resolvedModel.entity(named: request.entity) != nil else {
      throw Problem(.notFound, "The model has no entity “\(request.entity)”.", advice: "/api/model shows the entities.")
    }
    do {
      _ = try ResolvedRequest(request, in: resolvedModel)
    } catch {
      throw Problem(error)
    }
  }

  /// Returns the object that a text names.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, or is deleted; `ambiguous`.
  func existing(_ text: String) throws -> ObjectID {
    let id = try resolve(text)
    guard try get(id) != nil else { throw StoreError(.notFound, "There is no object \(id).", advice: .readHistory) }
    return id
  }

  /// Calls a closure with a reader of a position: this one, if it is its own.
  func reading<Result>(
    _ position: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    position == self.position ? try body(self) : try read(at: position, body)
  }
}

#endif
