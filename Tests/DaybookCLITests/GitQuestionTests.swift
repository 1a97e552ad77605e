#if Command

import DaybookTestSupport
import Foundation
import Testing

/// Questions about an imported git history, which git answers too.
@Suite(.hangLimit) struct GitQuestionTests {
  private let directory: TemporaryDirectory
  private var repository: String { directory.path("repository") }
  private var store: String { directory.path("store") }

  private static let names = ["Anna", "Ben Smith", "anna", "Zoë", "B. [x]*"]
  private static let words = ["Add", "add", "fix", "the (old) list", "a+b", "ünïcode", "x.y"]

  init() throws { directory = try TemporaryDirectory() }

  /// Makes a history of a main line into which a side branch is merged from time to time, and imports it.
  ///
  /// - Parameter marker: The commit of the main line that adds the file `marker`.
  private func makeHistory(_ count: Int, marker: Int, _ random: inout SeededRandom) throws {
    var stream = ""
    func commit(_ branch: String, _ number: Int, parents: [Int], files: [String]) {
      let (author, committer) = (random.pick(Self.names), random.pick(Self.names))
      let time = 1_700_000_000 + random.number(0...400_000)
      let message = (0..<random.number(1...3)).map { _ in random.pick(Self.words) }.joined(separator: " ") + "\n"
      stream +=
        "commit refs/heads/\(branch)\nmark :\(number)\nauthor \(author) <\(number % 4)@example.org> \(time - 5_000) +0100\n"
      stream += "committer \(committer) <c@example.org> \(time) -0200\ndata \(message.utf8.count)\n\(message)"
      if let first = parents.first { stream += "from :\(first)\n" }
      for parent in parents.dropFirst() { stream += "merge :\(parent)\n" }
      for file in files { stream += "M 100644 inline \(file)\ndata 2\n\(number % 10)\n" }
      stream += "\n"
    }
    for number in 1...count {
      var parents = number == 1 ? [] : [number - 1]
      if number > 3, random.isOneIn(5) {
        commit("side", number + 1_000, parents: [number - 2], files: ["side\(number)"])
        parents.append(number + 1_000)
      }
      commit("main", number, parents: parents, files: ["f\(number % 7)"] + (number == marker ? ["marker"] : []))
    }
    try stream.write(toFile: directory.path("stream"), atomically: false, encoding: .utf8)
    let run = try shell(
      """
      git init --quiet --bare --initial-branch=main '\(repository)' &&
      git -C '\(repository)' fast-import --quiet < '\(directory.path("stream"))' &&
      "$DAYBOOK" import git '\(store)' '\(repository)'
      """)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Returns the hashes of the git commits that `daybook log` prints.
  private func daybook(_ arguments: [String]) throws -> [String] {
    let run = try CommandRun(["log", store, "--jsonl", "--from", "2"] + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return try run.lines.map { line in
      let commit = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let events = try #require(commit["events"] as? [[String: Any]])
      let revision = try #require(events.first { $0["entity"] as? String == "Revision" })
      return try #require((revision["values"] as? [String: Any])?["hash"] as? String)
    }
  }

  private func git(_ arguments: [String]) throws -> [String] {
    let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
    let run = try shell("git -C '\(repository)' log --first-parent --reverse -F --format=%H \(quoted) main")
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func theLogNamesTheCommitsThatGitNames() throws {
    try SeededRandom.run { random in
      try makeHistory(130, marker: 40, &random)
      #expect(try daybook([]) == git([]))
      for _ in 0..<40 {
        var (ours, theirs): ([String], [String]) = ([], [])
        if random.isOneIn(2) {
          let author = random.pick(Self.names + ["n", "Smith <2@", "@example.org>", "nobody"])
          ours += ["--author", author]
          theirs += ["--author=\(author)"]
        }
        if random.isOneIn(2) {
          let word = random.pick(Self.words + ["dd", "list a", "nothing"])
          ours += ["--message", word]
          theirs += ["--grep=\(word)"]
        }
        // Git folds only what the locale folds, so case is ignored for ASCII alone.
        if random.isOneIn(3), (ours + theirs).allSatisfy({ $0.utf8.allSatisfy { $0 < 128 } }) {
          ours.append("-i")
          theirs.append("-i")
        }
        for (option, other) in [("--since", "--since-as-filter"), ("--until", "--until")] where random.isOneIn(3) {
          let time = 1_700_000_000 + random.number(0...400_000)
          ours += [option, Date(timeIntervalSince1970: TimeInterval(time)).ISO8601Format()]
          theirs.append("\(other)=@\(time)")
        }
        #expect(try daybook(ours) == git(theirs), "seed \(random.seed): \(theirs)")
      }
    }
  }

  @Test func bisectFindsWhatGitBisectFinds() throws {
    try SeededRandom.run { random in
      let marker = random.number(2...60)
      try makeHistory(60, marker: marker, &random)
      let run = try shell(
        """
        cd '\(repository)' && git bisect start --no-checkout --first-parent main main~59 >&2 &&
        git bisect run sh -c '! git cat-file -e BISECT_HEAD:marker' >&2 && git rev-parse refs/bisect/bad
        """)
      #expect(run.status == 0, "\(run.errors)")
      let position = try CommandRun(["bisect", store, "File", "--where", "name == \"marker\""])
      #expect(position.output == "\(marker + 1)\n", "\(position.errors)")
      let commit = try #require(try Int(position.lines[0]).map { try daybook(["--to", "\($0)"]).last })
      #expect(commit == run.output.split(separator: "\n").last.map(String.init), "seed \(random.seed)")
    }
  }
}

#endif
