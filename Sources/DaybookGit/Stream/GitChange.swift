/// One file command of a commit, as written in the stream.
///
/// The commands edit a flat map of paths to files, in order; `TreeEditor` interprets them.
package enum GitChange: Hashable, Sendable {
  /// `M`: sets the file at the path.
  case modify(GitPath, GitMode, GitHash)

  /// `D`: deletes the file, or if there is none at that path, every file below it.
  case delete(GitPath)

  /// `R`: renames the file, or if there is none at that path, every file below it.
  case rename(from: GitPath, to: GitPath)

  /// `C`: copies the file, or if there is none at that path, every file below it.
  case copy(from: GitPath, to: GitPath)

  /// `deleteall`: empties the map, which the following commands fill.
  case deleteAll
}
