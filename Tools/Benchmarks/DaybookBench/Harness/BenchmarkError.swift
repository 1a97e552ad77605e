/// Why a benchmark could not be run to its end.
enum BenchmarkError: Error, CustomStringConvertible {
  /// Two contestants did not come to the same answer, so their times cannot be compared.
  case digestsDiffer(job: String, contestant: String, from: String)
  case unknownJob(String, known: [String])
  /// A call of the baseline returned this error number.
  case baseline(call: String, message: String)
  /// SQLite does not have the setting that the variant is named for.
  case unexpectedSetting(name: String, value: String)
  /// A command that a job runs ended with this status.
  case commandFailed(String, status: Int32)
  /// A live result did not give what the job changed.
  case noDifference(contestant: String)
  /// A read did not return the number of rows that are there.
  case unexpectedCount(contestant: String, Int)
  /// An executable that a job runs was not built.
  case missingCommand(String)

  var description: String {
    switch self {
    case .digestsDiffer(let job, let contestant, let other):
      "\(job): \(contestant) came to another answer than \(other)."
    case .unknownJob(let name, let known):
      "There is no job \(name). Jobs: \(known.joined(separator: ", "))."
    case .baseline(let call, let message):
      "\(call): \(message)"
    case .unexpectedSetting(let name, let value):
      "SQLite has \(name) = \(value), which is not what was set."
    case .commandFailed(let command, let status):
      "\(command) ended with status \(status)."
    case .noDifference(let contestant):
      "\(contestant) did not give the difference that was made."
    case .unexpectedCount(let contestant, let count):
      "\(contestant) found \(count) rows."
    case .missingCommand(let path):
      """
      \(path) is not there; build it in the root of the repository with `swift build -c release --product daybook`, \
      or set its path with --daybook.
      """
    }
  }
}
