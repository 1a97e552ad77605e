#if Command

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookCLI

/// Text from outside, in all that the command shows to people.
@Suite(.hangLimit) struct ForeignTextTests {
  /// Sequences that clear the screen, set a title, ring, return the carriage, reverse letters or hide them.
  private static let hostile =
    "a\u{1b}[2Jb\u{1b}]0;title\u{7}c\rd\u{8}\u{9b}31me\u{202e}f\u{2066}g\u{2069}h\u{200f}i\u{200e}j\u{61c}k\u{7f}l\u{2028}m"

  private static func offences(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0a: false
      case 0...0x1f, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x61c, 0x2028, 0x2029: true
      default: false
      }
    }
  }

  private static func json(_ text: String) -> String {
    String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)  // Text always has a JSON form.
  }

  /// A store whose names, author, message, section, metadata and model are hostile.
  private let store: String
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen()
    store = kitchen.directory.path("hostile")
    let text = Self.json(Self.hostile)
    let model = """
      {"entities": [{"name": "Note", "nameAttribute": "title", "attributes": [
        {"name": "title", "type": "string", "default": \(text)}, {"name": "kind", "type": "string", "optional": true},
        {"name": "old", "type": "string", "optional": true}],
        "relationships": [{"name": "parent", "to": "Note", "inverse": "children", "optional": true},
          {"name": "children", "to": "Note", "many": true, "inverse": "parent", "onDelete": "cascade"}]}]}
      """
    let path = kitchen.directory.path("hostile.json")
    try model.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try CommandRun(["init", store, "--model", path]).status == 0)
    let lines = """
      {"commit": [{"insert": "Note", "as": "$a", "id": "\(Kitchen.id(1))", "values": {"title": \(text), "kind": \(text)}}], \
      "author": \(text), "message": \(text), "correlation": \(text), "metadata": {"key": \(text)}}
      {"commit": [{"insert": "Note", "id": "\(Kitchen.id(2))", "values": {"title": "x\u{2068}y"}, "relate": {"parent": "$a"}}]}
      {"commit": [{"set": "$a", "values": {"old": \(text)}}, {"rename": "$a", "to": "\(Kitchen.id(3))"}], "author": \(text)}
      {"rename": "$a", "to": \(text)}

      """
    let run = try CommandRun(["apply", store], input: lines)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `no readable output holds control characters or marks of direction`() throws {
    let commands = [
      ["fetch", "Note"], ["fetch", "Note", "--section", "kind"], ["fetch", "Note", "--explain"], ["get", "00000001"],
      ["log"], ["log", "--object", "00000001"], ["tree"], ["tree", "--show", "kind,old"], ["blame", "00000001"],
      ["trace", "2"], ["diff", "Note", "--from", "1"], ["diff", "Note", "--section", "kind", "--from", "1"], ["replay"],
      ["replay", "Note", "--section", "kind"], ["model"], ["activity"], ["stats"], ["count", "Note"], ["verify"],
      ["projection"], ["bisect", "Note", "--where", "kind != nil"], ["watch", "Note", "--count", "0"],
      ["watch", "Note", "--from", "1", "--count", "1"],
    ]
    for command in commands {
      let run = try CommandRun([command[0], store] + command.dropFirst())
      #expect(run.status == 0, "\(command): \(run.errors)")
      #expect(Self.offences(in: run.output).isEmpty, "\(command): \(run.output.debugDescription)")
      #expect(Self.offences(in: run.errors).isEmpty, "\(command): \(run.errors.debugDescription)")
    }
  }

  @Test func `JSON keeps all characters`() throws {
    for command in [
      ["fetch", store, "Note", "--json"], ["get", store, "00000001", "--json"], ["log", store, "--jsonl"],
    ] {
      let output = try CommandRun(command).output
      #expect(output.contains("\u{202e}f\u{2066}g"), "\(command)")
      #expect(output.contains(#"\u001b[2J"#) || output.contains(#"\u001B[2J"#), "\(command)")
    }
    let rows = try CommandRun(["fetch", store, "Note", "--json"]).output
    let object = try JSONSerialization.jsonObject(with: Data(rows.utf8)) as? [String: Any]
    let sections = object?["sections"] as? [[String: Any]]
    let objects = sections?.first?["objects"] as? [[String: Any]]
    let titles = objects?.compactMap { ($0["values"] as? [String: Any])?["title"] as? String }
    #expect(titles?.contains(Self.hostile) == true)
  }

  @Test func `no error holds control characters or marks of direction`() throws {
    let (text, hostile) = (Self.json(Self.hostile), Self.hostile)
    let file = kitchen.directory.path("bad.json")
    func refused(_ arguments: [String], input: String = "") throws {
      let run = try CommandRun(arguments, input: input)
      #expect(run.status != 0, "\(arguments)")
      #expect(!run.errors.isEmpty, "\(arguments)")
      #expect(Self.offences(in: run.errors).isEmpty, "\(arguments): \(run.errors.debugDescription)")
      #expect(Self.offences(in: run.output).isEmpty, "\(arguments): \(run.output.debugDescription)")
    }
    for argument in [
      ["fetch", store, hostile], ["fetch", store, "Note", "--where", "title == \(hostile)"],
      ["fetch", store, "Note", "--sort", hostile], ["fetch", hostile, "Note"], ["get", store, hostile],
      ["set", store, "00000001", "\(hostile)=1"], ["log", store, "--from", hostile],
      ["log", store, "--since", hostile],
      [hostile], ["fetch", store, "Note", "--limit", hostile], ["fetch", store, "Note", "--\(hostile)"],
      ["import", "git", "new", hostile], ["init", "new", "--model", hostile], ["serve", store, "--host", hostile],
      ["restore", hostile, "new"],
      ["diff", store, "Note", "--timezone", hostile, "--section", "createdAt.day", "--from", "1"],
      ["rebuild", store, hostile], ["tree", store, "--show", hostile], ["serve", store, "--token-file", hostile],
    ] { try refused(argument) }
    for line in [
      #"{"insert": \#(text), "values": {}}"#, #"{"insert": "Note", "values": {"title": 1, \#(text): 2}}"#,
      #"{\#(text): 1}"#, #"{"rename": \#(text), "to": "x"}"#, hostile,
      #"{"set": "$a", "values": {"kind": {"file": \#(text)}}}"#,
      #"{"commit": [], "happenedAt": \#(text)}"#,
    ] { try refused(["apply", store], input: line + "\n") }
    for model in [
      #"{"entities": [{"name": \#(text), "attributes": []}]}"#, hostile,
      #"{"entities": [{"name": "E", "attributes": [{"name": \#(text), "type": "x"}]}]}"#,
    ] {
      try model.write(toFile: file, atomically: false, encoding: .utf8)
      try refused(["init", kitchen.directory.path("new"), "--model", file])
    }
    try refused(
      ["import", "git", kitchen.directory.path("git"), "--stream", "-"], input: "commit refs/heads/x\nfoo \(hostile)\n")
    try refused(["import", "events", kitchen.directory.path("events"), "-"], input: "{\"position\":\(hostile)}\n")
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\u{1b}[31mb", "a [31mb"), ("tab\tline\nend\r\n", "tab line end  "),
    ("\u{202e}x\u{2069}", "\u{fffd}x\u{fffd}"),
    ("\u{200f}שלום\u{200e}", "שלום"), ("e\u{301}👩‍🚀", "e\u{301}👩‍🚀"), ("\u{85}\u{9b}", "  "), ("", ""),
  ])
  func `a line of printable text has no control characters`(text: String, expected: String) {
    #expect(PrintableText.line(text) == expected)
  }

  @Test(arguments: [
    ("\u{1b}[1mbold\u{1b}[0m", "\u{1b}[1mbold\u{1b}[0m"), ("\u{1b}[38;5;46mx", "\u{1b}[38;5;46mx"),
    ("\u{1b}[2Jx", " [2Jx"), ("\u{1b}]0;t\u{7}", " ]0;t "), ("\u{1b}", " "), ("\u{1b}[", " ["),
    ("a\nb\u{1b}[", "a\nb ["),
  ])
  func `styles of the command itself stay where they are allowed`(text: String, expected: String) {
    #expect(PrintableText.lines(text, keepsStyles: true) == expected)
    #expect(!PrintableText.lines(text).unicodeScalars.contains("\u{1b}"))
  }
}

#endif
