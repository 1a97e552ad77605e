import Foundation

/// Where git is and what it is told about its surroundings, so that a history is read alike everywhere.
enum GitEnvironment {
  /// The variables that would make git read another repository than the one named, as they are set in a hook.
  private static let repositoryVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NAMESPACE",
  ]

  /// This process's variables, with messages in English and without questions to a person.
  static func variables() -> [String: String] {
    var variables = ProcessInfo.processInfo.environment
    for name in repositoryVariables { variables[name] = nil }
    variables["LC_ALL"] = "C"
    variables["LANGUAGE"] = nil
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables["GIT_OPTIONAL_LOCKS"] = "0"
    return variables
  }

  /// The first `git` of the search path.
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
