#if Command

import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

/// Invalid input: the command reports the fault and its place, and the store is unchanged.
@Suite(.hangLimit) struct BadInputTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  private func statistics() throws -> String {
    let text = try kitchen.output("stats", "--json")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    return "\(json["head"] ?? 0) \(json["hash"] ?? 0) \(json["stateHash"] ?? 0)"
  }

  /// Runs a command that must be refused and leave the store unchanged.
  private func expectRefusal(
    _ status: Int32, _ messages: [String], _ arguments: [String], input: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try statistics()
    let run = try CommandRun(arguments, input: input)
    #expect(run.status == status, "\(run.errors)", sourceLocation: location)
    #expect(run.output == "", sourceLocation: location)
    #expect(run.errors.hasPrefix("daybook: "), "\(run.errors)", sourceLocation: location)
    for message in messages {
      #expect(run.errors.contains(message), "\(message): \(run.errors)", sourceLocation: location)
    }
    #expect(try statistics() == before, sourceLocation: location)
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let path = kitchen.directory.path(name)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }

  @Test(arguments: [
    ("", ["column 1"]),
    ("{", ["column 2"]),
    (#"{"entities": [}"#, ["column 15"]),
    ("{\"entities\": [],\n \"entities\": []}", ["entities"]),
    ("[]", ["object"]),
    (#"{"entities": 7}"#, ["entities"]),
    (#"{"entities": [], "colour": 1}"#, ["colour"]),
    (#"{"entities": [{}]}"#, ["name"]),
    (#"{"entities": [{"name": 7}]}"#, ["name"]),
    (#"{"entities": [{"name": ""}]}"#, ["name"]),
    (#"{"entities": [{"name": "A"}, {"name": "A"}]}"#, ["A"]),
    (#"{"entities": [{"name": "A", "attributes": [{"name": "a"}]}]}"#, ["A", "a", "type"]),
    (#"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "int"}]}]}"#, ["A", "a", "int"]),
    (#"{"entities": [{"name": "A", "attributes": [{"name": "id", "type": "string"}]}]}"#, ["A", "id"]),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "integer", "default": "x"}]}]}"#,
      ["A", "a", "x"]
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "integer", "order": "natural"}]}]}"#,
      ["A", "a"]
    ),
    (#"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": {"count": "b"}}]}]}"#, ["A", "a", "b"]),
    (#"{"entities": [{"name": "A", "nameAttribute": "b"}]}"#, ["A", "b"]),
    (#"{"entities": [{"name": "A", "unique": [["b"]]}]}"#, ["A", "b"]),
    (#"{"entities": [{"name": "A", "indexes": [["b.c"]]}]}"#, ["A", "b"]),
    (#"{"entities": [{"name": "A", "relationships": [{"name": "b", "to": "B", "inverse": "a"}]}]}"#, ["A", "b", "B"]),
    (#"{"entities": [{"name": "A", "relationships": [{"name": "b", "to": "A", "inverse": "c"}]}]}"#, ["A", "b", "c"]),
    (
      #"{"entities": [{"name": "A", "relationships": [{"name": "b", "to": "A", "inverse": "b", "onDelete": "drop"}]}]}"#,
      ["drop"]
    ),
  ])
  func aWrongModelNamesThePlace(text: String, messages: [String]) throws {
    let path = try file("wrong.json", text)
    try expectRefusal(1, messages, ["model", kitchen.store, "--apply", path])
    let other = kitchen.directory.path("other")
    try expectRefusal(1, messages, ["init", other, "--model", path])
    #expect(!FileManager.default.fileExists(atPath: other))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: kitchen.directory.path).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test(arguments: [
    ("", 1), ("name", 5), ("name ==", 8), ("name == \"a", 9), ("(name == \"a\"", 1), ("name == \"a\")", 12),
    ("nam == \"a\"", 1), ("type.nam == \"a\"", 6), ("servings BEGINSWITH \"a\"", 1), ("servings == \"a\"", 13),
    ("name == 7", 9), ("name IN {\"a\", 7}", 15), ("servings BETWEEN {1}", 18), ("ANY name == \"a\"", 5),
    ("name MATCHES \"(\"", 14), ("tags.@cont == 1", 6),
    ("name == nil nil", 13), ("COUNT(ingredients WHERE amont > 2) >= 1", 25),
    ("COUNT(type WHERE name == \"a\") > 1", 7),
    ("ANY tags WHERE name == \"a\"", 16), ("COUNT(tags WHERE name == \"a\"", 6), ("tags WHERE (name == \"a\")", 6),
    ("changedAt > 2026-13-01", 13), ("NOT", 4), ("name CONTAINS[x] \"a\"", 15), ("\u{0}", 1),
  ])
  func aWrongFilterPointsAtTheColumn(filter: String, column: Int) throws {
    try expectRefusal(1, ["column \(column)\n"], ["fetch", kitchen.store, "Recipe", "--where", filter])
  }

  @Test func aWrongLineOfOperationsIsNamedWhereverItIs() throws {
    let sound = #"{"insert": "Tag", "values": {"name": "a"}}"#
    for (line, message) in [
      ("{", "column 2"), (#"{"insert": "Tagg"}"#, "Tagg"), (#"{"set": "00000009", "values": {}}"#, "00000009"),
    ] {
      // No part of a batch with an invalid line is written, whatever the lines before it.
      try expectRefusal(
        1, ["Line 3: ", message, "Nothing was written."], ["apply", kitchen.store, "--batch", "9"],
        input: "\(sound)\n\(sound)\n\(line)\n\(sound)\n")
    }
    let run = try kitchen.run("apply", input: "\(sound)\n\n\(sound)\n{\n")
    #expect(run.status == 1)
    #expect(run.errors.contains("Line 4: column 2"), "\(run.errors)")
  }

  @Test(arguments: ["0190163d-8694-739b-aea5", "0000000", "00000000000"])
  func anAmbiguousIdentityIsRefusedByEachCommand(part: String) throws {
    for arguments in [
      ["rename", kitchen.store, part, "x"], ["set", kitchen.store, part, "note=x"], ["delete", kitchen.store, part],
      ["relate", kitchen.store, part, "type", "00000001"], ["relate", kitchen.store, "00000005", "type", part],
      ["get", kitchen.store, part], ["log", kitchen.store, "--object", part], ["tree", kitchen.store, part],
    ] {
      try expectRefusal(
        1, ["“\(part)” is part of 5 identities:", "Give more digits."] + (1...5).map { Kitchen.id($0) }, arguments)
    }
  }

  @Test func eventsThatAreCutAreRefusedFromTheCutOn() throws {
    let text = try kitchen.output("export")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    for cut in stride(from: 1, to: text.utf8.count - 1, by: text.utf8.count / 23) {
      let input = String(decoding: text.utf8.prefix(cut), as: UTF8.self)
      let whole = lines.indices.filter { lines[...$0].reduce(0) { $0 + $1.utf8.count + 1 } <= cut + 1 }.count
      let copy = kitchen.directory.path("copy \(cut)")
      let run = try CommandRun(["import", "events", copy], input: input)
      #expect(run.status == 1, "\(cut): \(run.errors)")
      #expect(run.errors.hasPrefix("daybook: Line \(whole + 1): "), "\(cut): \(run.errors)")
      #expect(FileManager.default.fileExists(atPath: copy) == (whole > 0))
      if whole > 0 { #expect(try CommandRun(["log", copy, "--jsonl"]).lines.count == whole) }
    }
    // An import that was cut continues where it stopped.
    let copy = kitchen.directory.path("whole")
    _ = try CommandRun(["import", "events", copy], input: lines[0] + "\n")
    #expect(try CommandRun(["import", "events", copy], input: text).status == 0)
    #expect(try CommandRun(["export", copy]).output == text)
  }

  @Test func aDirectoryThatIsNoStoreIsRefusedByEachCommand() throws {
    let directory = kitchen.directory.path("photos")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    let model = kitchen.directory.path("model.json")
    for arguments in [
      ["fetch", directory, "Recipe"], ["insert", directory, "Tag", "name=a"], ["apply", directory], ["log", directory],
      ["stats", directory], ["verify", directory], ["rebuild", directory], ["export", directory], ["tree", directory],
      ["activity", directory], ["projection", directory],
      ["model", directory], ["backup", directory, kitchen.directory.path("backup")],
      ["compact", directory, kitchen.directory.path("backup")], ["import", "git", directory, "--stream", "-"],
    ] {
      try expectRefusal(1, [directory], arguments)
    }
    try expectRefusal(1, [directory], ["init", directory, "--model", model])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: kitchen.directory.path("backup")))
    _ = try kitchen.output("backup", kitchen.directory.path("backup"))
    try expectRefusal(1, [directory], ["restore", kitchen.directory.path("backup"), directory])
  }

  @Test func aFileInPlaceOfAStoreIsRefused() throws {
    let path = try file("photo", "not a store")
    for arguments in [["fetch", path, "Recipe"], ["insert", path, "Tag", "name=a"], ["stats", path]] {
      try expectRefusal(1, [path], arguments)
    }
    try expectRefusal(1, [path], ["init", path, "--model", kitchen.directory.path("model.json")])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "not a store")
  }

  @Test func aJournalThatIsDamagedOrForeignIsRefusedWithTheNextStep() throws {
    let store = kitchen.store
    let journal = "\(store)/journal/data.mdb"
    let sound = try Data(contentsOf: URL(fileURLWithPath: journal))
    var flipped = sound
    for offset in stride(from: 16, to: 8_192, by: 8) { flipped[offset] ^= 0xFF }
    let damages = [Data(), Data("hello".utf8), flipped, sound.prefix(5_000), Data(count: sound.count)]
    for damage in damages {
      try damage.write(to: URL(fileURLWithPath: journal))
      for command in [["fetch", store, "Recipe"], ["insert", store, "Tag", "name=a"], ["verify", store]] {
        let run = try CommandRun(command, environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(run.status == 1, "\(damage.count) \(command[0]): \(run.errors)")
        #expect(
          (run.output + run.errors).contains("journal"), "\(damage.count) \(command[0]): \(run.errors)\(run.output)")
      }
    }
    try sound.write(to: URL(fileURLWithPath: journal))
    #expect(try CommandRun(["verify", store]).status == 0)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser writes to read-only directories"))
  func aReadOnlyDirectoryIsRefused() throws {
    let files = FileManager.default
    for path in ["\(kitchen.store)/journal", "\(kitchen.store)/projections"] {
      for name in try files.contentsOfDirectory(atPath: path) {
        try files.setAttributes([.posixPermissions: 0o400], ofItemAtPath: "\(path)/\(name)")
      }
      try files.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
    }
    defer {
      for path in ["\(kitchen.store)/journal", "\(kitchen.store)/projections"] {
        try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)  // So that it can be removed.
      }
    }
    let run = try kitchen.run("insert", "Tag", "name=a")
    #expect(run.status == 74)
    #expect(run.errors.contains(kitchen.store) && run.errors.contains("Check owner and mode"), "\(run.errors)")
  }
}

#endif
