#if Import

import Daybook
import DaybookModel

/// Makes the commits of one import, with its author, its metadata and one correlation.
final class ImportCommits {
  /// Where the commits are made.
  enum Place {
    /// Each commit is durable by itself.
    case store(Store)
    /// All commits are durable together, or none.
    case session(WriteSession)
  }

  private var place: Place
  private let info: CommitInfo
  private(set) var count = 0
  private(set) var head: Position

  init(_ place: Place, _ info: CommitInfo) throws {
    self.place = place
    self.info = info
    switch place {
    case .store(let store): head = try store.position
    case .session(let session): head = session.head
    }
  }

  /// Makes a commit; a closure that changes nothing makes none.
  ///
  /// - Parameter time: When its events happened; `nil` for the time of the commit.
  func make(at time: Timestamp? = nil, _ body: (borrowing Transaction) throws -> Void) throws {
    var info = info
    info.happenedAt = time
    switch place {
    case .store(let store): note(try store.commit(info, body).position)
    case .session(let session): note(try session.commit(info, body).position)
    }
  }

  /// Makes the commits of a closure durable together. The closure may run again.
  func together(_ body: () throws -> Void) throws {
    guard case .store(let store) = place else { return try body() }
    defer { place = .store(store) }
    let before = (count, head)
    try store.writer.write { session in
      (count, head) = before
      place = .session(session)
      try body()
    }
  }

  /// Replaces the model, if it differs.
  func apply(_ model: Model, checking scope: RuleScope, to store: Store) throws {
    switch place {
    case .store: note(try store.apply(model, checking: scope, info: info).position)
    case .session(let session): note(try store.apply(model, checking: scope, info: info, in: session).position)
    }
  }

  private func note(_ position: Position) {
    guard position > head else { return }
    head = position
    count += 1
  }
}

#endif
