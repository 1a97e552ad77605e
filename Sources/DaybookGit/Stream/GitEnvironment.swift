import Foundation

/// The git executable and its environment, chosen so that histories read the same everywhere.
enum GitEnvironment {
  /// The variables, as set in a hook, that would make git read another repository.
  private static let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NAMESPACE",
  ]

  /// Returns this process's variables, with English messages and without prompts.
  static func variables() -> [String: String] {
    var variables = ProcessInfo.processInfo.environment
    for name in repositoryVariables { variables[name] = nil }
    variables["LC_ALL"] = "C"
    variables["LANGUAGE"] = nil
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables["GIT_OPTIONAL_LOCKS"] = "0"
    // Reading a partial clone must not fetch what it lacks. Only git 2.45 and later know the first variable; the second
    // one allows no protocol at all.
    variables["GIT_NO_LAZY_FETCH"] = "1"
    variables["GIT_ALLOW_PROTOCOL"] = "none"
    return variables
  }

  /// Returns the first `git` of the search path.
  static func executable(
    searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  ) throws -> URL {
    for directory in searchPath.split(separator: ":") {
      let path = "\(directory)/git"
      if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
    }
    throw GitError(kind: .gitMissing, message: "there is no git in \(searchPath); install it, or import a stream")
  }
}
