#if Command

import DaybookTestSupport
import Foundation
import Testing

/// Paths that are unusual, in every place of the command line that takes one.
///
/// The command must use exactly the bytes that it was given, or refuse them; never another path.
@Suite(.hangLimit) struct PathTests {
  /// The commands with a path; `@` stands for it. Before each of them the script has made a store and a backup of it.
  private static let commands = [
    "init @ --model model.json", "init new --model @", "model @", "model store --apply @", "insert @ Note title=x",
    "rename @ 00000001 x", "set @ 00000001 title=x", "relate @ 00000001 tags 00000001",
    "unrelate @ 00000001 tags 00000001", "delete @ 00000001", "apply @ lines", "apply store @", "get @ 00000001",
    "value @ 00000001 photo", "fetch @ Note", "count @ Note", "tree @", "log @", "blame @ 00000001", "trace @ 1",
    "bisect @ 'TRUEPREDICATE'", "diff @ Note --from 1", "watch @ Note --count 0", "replay @", "revert @ 2", "undo @",
    "redo @", "activity @", "export @", "export store @", "import events @ lines", "import events new @",
    "import git @ .", "import git new @", "import git new --stream @", "serve @ --port 0", "serve store --token-file @",
    "stats @", "verify @", "rebuild @", "projection @", "backup @ new", "backup store @", "restore @ new",
    "restore backup @", "compact @ new", "compact store @", "replication @",
    "join new --journal nats://localhost:1/x --credentials @", "set store 00000001 photo=@@",
  ]

  private static let odd: [(name: String, quoted: String)] = [
    ("Latin-1", #"$'st\xe9'"#), ("half a character", #"$'st\xe2\x82'"#), ("a surrogate", #"$'st\xed\xa0\x80'"#),
    ("a byte that is never used", #"$'\xff'"#),
  ]

  @Test(arguments: commands)
  func `a path that is not UTF-8 is refused, and nothing is made`(command: String) throws {
    for odd in Self.odd {
      let run = try shell(
        """
        set -e
        directory=$(mktemp -d); trap 'rm -rf "$directory"' EXIT; cd "$directory"
        before=$(ls -A | od -c)
        path=\(odd.quoted)
        set +e
        timeout 20 "$DAYBOOK" \(Self.words(of: command, path: "\"$path\"")) < /dev/null > output 2> errors
        echo "status $?"
        rm output
        [ "$(ls -A)" = errors ] || { echo "made:"; ls -A | od -c; }
        cat errors >&2
        """)
      #expect(run.output == "status 64\n", "\(command), \(odd.name): \(run.output)\(run.errors)")
      #expect(run.errors.contains("is not UTF-8"), "\(command), \(odd.name): \(run.errors)")
      #expect(run.errors.contains(#"\x"#), "\(command), \(odd.name): \(run.errors)")
    }
  }

  private static func words(of command: String, path: String) -> String {
    command.replacingOccurrences(of: "@@", with: "@" + path).split(separator: " ").map { word in
      word == "@" ? path : String(word)
    }.joined(separator: " ")
  }

  @Test func `a path in the environment that is not UTF-8 is refused`() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    for variable in ["TMPDIR", "HOME", "PATH", "DAYBOOK_JOURNAL_TIMEOUT"] {
      let run = try shell("\(variable)=$'/tmp/\\xe9' \"$DAYBOOK\" count '\(kitchen.store)' Recipe")
      #expect(run.status == 64, "\(variable): \(run.errors)")
      #expect(run.errors.contains("\(variable) of the environment is not UTF-8"), "\(run.errors)")
    }
    #expect(try shell("OTHER=$'\\xe9' \"$DAYBOOK\" count '\(kitchen.store)' Recipe").output == "2\n")
  }

  /// Paths that are UTF-8, and taken byte for byte.
  @Test(arguments: [
    "with spaces", "with\nnewline", "tab\there", "-leading-dash", "--model", "é", "e\u{301}", "quote\"'s",
    "back\\slash",
    "%41", "\u{202e}txt", "💾", "*", String(repeating: "n", count: 200),
  ])
  func `a path in UTF-8 is used byte for byte`(name: String) throws {
    let directory = try TemporaryDirectory()
    let model = directory.path("model.json")
    try Kitchen.model.write(toFile: model, atomically: false, encoding: .utf8)
    // A working directory of its own, since a leading dash would be none behind a directory.
    func run(_ arguments: [String]) throws -> CommandRun {
      try CommandRun(arguments, in: directory.path)
    }
    let separator = name.hasPrefix("-") ? ["--"] : []
    #expect(try run(["init", "--model", model] + separator + [name]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.contains { Array($0.utf8) == Array(name.utf8) }, "\(names)")
    let insert = try run(["insert"] + separator + [name, "Tag", "name=x"])
    #expect(insert.status == 0, "\(insert.errors)")
    #expect(try run(["count"] + separator + [name, "Tag"]).output == "1\n")
    #expect(try run(["verify"] + separator + [name]).status == 0)
    let other = name.utf8.count > 190 ? String(name.dropLast()) : name + ".backup"
    let backup = try run(["backup"] + separator + [name, other])
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(FileManager.default.fileExists(atPath: directory.path(other)))
  }

  @Test(arguments: ["init @ --model model.json", "fetch @ Recipe", "backup STORE @", "verify @", "restore @ x"])
  func `a path that is too long for the system is an error of input or output`(command: String) throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let path = kitchen.directory.path(String(repeating: "n", count: 300))
    let words = command.replacingOccurrences(of: "STORE", with: kitchen.store)
      .replacingOccurrences(of: "model.json", with: kitchen.directory.path("model.json"))
      .split(separator: " ").map { $0 == "@" ? path : String($0) }
    let run = try CommandRun(words)
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("too long"), "\(command): \(run.errors)")
  }

  @Test func `a path with a zero byte in an operation is refused`() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    try Data("bytes".utf8).write(to: URL(fileURLWithPath: kitchen.directory.path("photo")))
    let model = #"{"entities": [{"name": "Photo", "attributes": [{"name": "bytes", "type": "data"}]}]}"#
    let (path, store) = (kitchen.directory.path("photos.json"), kitchen.directory.path("photos"))
    try model.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try CommandRun(["init", store, "--model", path]).status == 0)
    let file = kitchen.directory.path("photo")
    let line = #"{"insert": "Photo", "values": {"bytes": {"file": "\#(file)\u0000.jpg"}}}"#
    let run = try CommandRun(["apply", store], input: line + "\n")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("zero byte"), "\(run.errors)")
  }
}

#endif
