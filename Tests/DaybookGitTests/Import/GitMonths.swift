import Foundation
import Testing

/// The commits and changed files of a history by author and month, added up from what git prints.
///
/// It shares nothing with Daybook but the repository.
struct GitMonths {
  struct Key: Hashable {
    let email: String
    let month: String
  }

  struct Count: Equatable {
    var commits = 0
    var files = 0
  }

  /// The author, the month and the number of changed files of each commit, oldest first.
  private var commits: [(key: Key, files: Int)] = []

  var commitCount: Int { commits.count }

  init(_ repository: TemporaryRepository) throws {
    let output = try repository.git([
      "log", "--first-parent", "-m", "--no-renames", "--numstat", "--reverse", "--format=commit %ae %ct", "main",
    ])
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.count == 3, fields[0] == "commit" {
        let month = try Self.month(#require(Int(fields[2])))
        commits.append((Key(email: String(fields[1]), month: month), 0))
      } else {
        // The lines added and removed, or `-` for a binary file, and the path.
        try #require(line.first == "-" || line.first?.isNumber == true, "\(line)")
        commits[commits.count - 1].files += 1
      }
    }
  }

  /// Returns the month of a committer's time, in UTC.
  private static func month(_ seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    return String(format: "%04d-%02d", parts.tm_year + 1_900, parts.tm_mon + 1)
  }

  /// Returns the counts after the first commits.
  func counts(ofFirst count: Int) -> [Key: Count] {
    var counts: [Key: Count] = [:]
    for commit in commits.prefix(count) {
      counts[commit.key, default: Count()].commits += 1
      counts[commit.key, default: Count()].files += commit.files
    }
    return counts
  }
}
