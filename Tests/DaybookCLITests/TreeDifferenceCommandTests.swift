#if Command

import DaybookTestSupport
import Foundation
import Testing

/// `watch --tree` and `diff --tree`, and relationships that are acyclic, through the command.
@Suite(.hangLimit) struct TreeDifferenceCommandTests {
  private let directory: TemporaryDirectory
  private var store: String { directory.path("folders") }

  init() throws {
    directory = try TemporaryDirectory()
    let model = directory.path("model.json")
    try TreeDifferenceCommandTests.model.write(toFile: model, atomically: false, encoding: .utf8)
    #expect(try CommandRun(["init", directory.path("folders"), "--model", model]).status == 0)
  }

  private static let model = """
    {"entities": [{"name": "Folder", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
      "relationships": [
        {"name": "parent", "to": "Folder", "inverse": "children", "optional": true, "acyclic": true},
        {"name": "children", "to": "Folder", "many": true, "inverse": "parent", "onDelete": "cascade"}]}]}
    """

  private func id(_ number: Int) -> String { Kitchen.id(number) }

  private func output(
    _ arguments: String..., input: String = "", at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try CommandRun([arguments[0], store] + arguments.dropFirst(), input: input)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
    return run.output
  }

  /// Three folders in each other, and one beside them.
  private func fill() throws {
    _ = try output(
      "apply",
      input: """
        {"commit": [{"insert": "Folder", "id": "\(id(1))", "values": {"name": "a"}}, \
        {"insert": "Folder", "id": "\(id(2))", "values": {"name": "b"}, "relate": {"parent": "\(id(1))"}}, \
        {"insert": "Folder", "id": "\(id(3))", "values": {"name": "c"}, "relate": {"parent": "\(id(2))"}}, \
        {"insert": "Folder", "id": "\(id(4))", "values": {"name": "d"}}], "happenedAt": "2026-01-02T03:04:05Z"}

        """)
  }

  @Test func aDifferenceIsPrintedAsJSON() throws {
    try fill()
    _ = try output("relate", id(2), "parent", id(4))
    let time = #""createdAt": "2026-01-02T03:04:05Z""#
    let diff = try output("diff", "--tree", "Folder.children", "--from", "2", "--json")
    #expect(diff.hasPrefix(#"{"from": 2, "to": 3, "nodes": [{"change": "move", "id": "\#(id(2))", "from": [0, 0], "#))
    #expect(diff.contains(#""to": [1, 0], "node": {"id": "\#(id(2))", "entity": "Folder", \#(time)"#))
    #expect(diff.hasSuffix(#""values": {"name": "b"}, "links": {"parent": "\#(id(4))"}}}]}"# + "\n"))
    let whole = try output("diff", "Folder", "--tree", "children", "--from", "0", "--to", "2", "--json", "--depth", "1")
    let json = try #require(JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
    let nodes = try #require(json["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["change"] as? String } == ["insert", "insert"])
    let first = try #require(nodes[0]["node"] as? [String: Any])
    let below = try #require(first["children"] as? [[String: Any]])
    #expect(below.map { $0["id"] as? String } == [id(2)])
    #expect((below[0]["children"] as? [Any])?.isEmpty == true, "the depth ends here")
    #expect(
      try output("diff", "--tree", "parent", "--from", "3", "--to", "3", "--json")
        == #"{"from": 3, "to": 3, "nodes": []}"# + "\n")
    #expect(
      try output("diff", "--tree", "parent", "--from", "2") == """
        position 2 to 3
          > move [0, 0] → [1, 0]  b (00000002)

        """)
  }

  @Test func watchFollowsATree() throws {
    try fill()
    let watch = try RunningCommand([
      "watch", store, "--tree", "Folder.children", "--from", "2", "--count", "3", "--jsonl", "--rows",
    ])
    let state = try watch.line()
    #expect(
      state == #"{"position": 2, "count": 4, "tree": [{"id": "\#(id(1))", "children": [{"id": "\#(id(2))", "#
        + #""children": [{"id": "\#(id(3))", "children": []}]}]}, {"id": "\#(id(4))", "children": []}]}"# + "\n")
    _ = try output("relate", id(2), "parent", id(4))
    #expect(try changes(watch.json()) == ["move"])
    _ = try output("rename", id(3), "z")
    let renamed = try watch.json()
    #expect(try changes(renamed) == ["update"])
    #expect(renamed["from"] as? Int == 3 && renamed["to"] as? Int == 4)
    _ = try output("delete", "Folder", "--where", "name == 'd'")
    #expect(try changes(watch.json()) == ["delete"])
    #expect(try watch.end().status == 0)
    // Later, from a position, below a root.
    let later = try output("watch", "--tree", "children", "--root", id(4), "--from", "2", "--count", "1", "--jsonl")
    #expect(later.split(separator: "\n").count == 2)
    #expect(later.contains(#"{"from": 2, "to": 5, "nodes": [{"change": "delete", "id": "\#(id(4))", "from": [0]}]}"#))
  }

  private func changes(_ line: [String: Any]) throws -> [String] {
    try #require(line["nodes"] as? [[String: Any]]).compactMap { $0["change"] as? String }
  }

  @Test func aCycleIsRefusedAndNamed() throws {
    try fill()
    let run = try CommandRun(["relate", store, id(1), "parent", id(3)])
    #expect(run.status == 1)
    #expect(
      run.errors == """
        daybook: Folder.parent leads in a cycle: \(id(1)) → \(id(3)) → \(id(2)) → \(id(1)).
        Relate one of these objects elsewhere.

        """)
    #expect(try output("model").contains("→ Folder, optional, acyclic, inverse children"))
    #expect(try output("model", "--json").contains(#""acyclic": true"#))
  }

  @Test func badInputIsRefused() throws {
    try fill()
    let bad: [([String], Int32, String)] = [
      (["watch", "--jsonl"], 64, "Name an entity"), (["diff", "--from", "1"], 64, "Name an entity"),
      (["watch", "--tree", "children", "--where", "name == 'a'"], 64, "A tree takes no filter"),
      (["watch", "--tree", "children", "--depth", "-1"], 64, "--depth"),
      (["watch", "Folder", "--root", id(1)], 64, "need --tree"),
      (["watch", "--tree", "children", "--every-commit"], 64, "--every-commit"),
      (["watch", "--tree", "name", "--jsonl", "--count", "1"], 1, "no relationship “name”"),
      (["diff", "--tree", "Nothing.children", "--from", "1"], 1, "no entity “Nothing”"),
      (["diff", "--tree", "children", "--from", "9"], 1, "There is no commit 9"),
      (["diff", "--tree", "children", "--root", "abcdef12", "--from", "1"], 1, "No object has an identity"),
    ]
    for (arguments, status, message) in bad {
      let run = try CommandRun([arguments[0], store] + arguments.dropFirst())
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.output == "" && run.errors.contains(message), "\(arguments): \(run.errors)")
    }
  }
}

#endif
