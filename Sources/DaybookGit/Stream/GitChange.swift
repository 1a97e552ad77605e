/// One file command of a commit, as the stream says it.
///
/// The commands edit a flat map of paths to files, in order; `TreeEditor` gives them their meaning.
package enum GitChange: Hashable, Sendable {
  /// `M`: the path holds this file now.
  case modify(GitPath, GitMode, GitHash)

  /// `D`: the file is gone, or if there is none of that path, everything below it.
  case delete(GitPath)

  /// `R`: the file, or if there is none of that path everything below it, is somewhere else now.
  case rename(from: GitPath, to: GitPath)

  /// `C`: the file, or if there is none of that path everything below it, is at another path too.
  case copy(from: GitPath, to: GitPath)

  /// `deleteall`: the map is empty, and what follows fills it.
  case deleteAll
}
