import DaybookModel

/// The commits that an undo undoes.
///
///     try store.undo(.last(of: "editor"))           // the last commit of the editor
///     try store.undo(.last(3, of: "editor"))        // and the three before it, together or not at all
///     try store.undo(.commit(7))                    // what commit 7 did
///     try store.undo(.commits(5, through: 7))       // what three commits did, in one new commit
public struct UndoSelection: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case last(Int, author: String?)
    case commits(Position, through: Position)
  }

  let content: Content

  /// The last commits of an author that can be undone, or redone, each in a commit of its own.
  ///
  /// - Parameters:
  ///   - count: The number of commits, from 1; all are undone or none.
  ///   - author: The author; `nil` for any author's, and for commits without author.
  public static func last(_ count: Int = 1, of author: String? = nil) -> UndoSelection {
    UndoSelection(content: .last(count, author: author))
  }

  /// One commit, which is not the commit of a model.
  public static func commit(_ position: Position) -> UndoSelection { .commits(position, through: position) }

  /// Several commits that follow each other, none of them of a model, which are undone together in one commit.
  ///
  /// - Parameters:
  ///   - first: The first commit.
  ///   - last: The last commit; there are at most 1,000,000.
  public static func commits(_ first: Position, through last: Position) -> UndoSelection {
    UndoSelection(content: .commits(first, through: last))
  }
}
