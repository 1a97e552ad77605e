import Daybook
import DaybookTools
import Testing

@Suite(.hangLimit) struct OperationTests {
  private func line(_ text: String) throws -> OperationLine {
    try OperationLine(parsing: Array(text.utf8))
  }

  @Test func eachVerbIsRead() throws {
    let id = ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!
    #expect(
      try line(
        """
        {"insert": "Recipe", "as": "$cake", "id": "\(id)", "values": {"name": "Cake"}, "relate": {"type": "$t", "tags": ["26f8ad91", "\(id)"], "note": null}}
        """
      ).operations == [
        .insert(
          Operation.Insertion(
            entity: "Recipe", id: id, name: "$cake", values: [.init("name", "Cake")],
            links: [
              .init("type", [.name("$t")], isList: false),
              .init("tags", [.part("26f8ad91"), .id(id)], isList: true), .init("note", [], isList: false),
            ]))
      ])
    #expect(try line(#"{"rename": "$a", "to": "b"}"#).operations == [.rename(.name("$a"), to: "b")])
    #expect(
      try line(#"{"set": "$a", "values": {"b": null, "c": 1}}"#).operations
        == [.set(.name("$a"), values: [.init("b", .null), .init("c", 1)])])
    #expect(
      try line(#"{"relate": "$a", "relationship": "r", "to": "$b", "after": "$c"}"#).operations
        == [.relate(.name("$a"), relationship: "r", to: .name("$b"), at: .after(.name("$c")))])
    #expect(
      try line(#"{"unrelate": "$a", "relationship": "r", "to": "$b"}"#).operations
        == [.unrelate(.name("$a"), relationship: "r", from: .name("$b"))])
    #expect(try line(#"{"delete": "\#(id)"}"#).operations == [.delete(.id(id))])
    #expect(
      try line(
        #"{"upsert": "Tag", "key": ["name"], "as": "$a", "values": {"name": "a"}, "relate": {"recipes": ["$b"]}}"#
      ).operations == [
        .upsert(
          Operation.Upsertion(
            entity: "Tag", key: ["name"], name: "$a", values: [.init("name", "a")],
            links: [.init("recipes", [.name("$b")], isList: true)]))
      ])
  }

  @Test(arguments: [
    (#"{"upsert": "Tag", "values": {"name": "a"}}"#, "“upsert” needs “key”"),
    (#"{"upsert": "Tag", "key": "name"}"#, "“key” takes a list of names"),
    (#"{"upsert": "Tag", "key": []}"#, "“key” takes a list of names"),
    (#"{"upsert": "Tag", "key": ["name", 1]}"#, "“key” takes a list of names"),
    (#"{"upsert": "Tag", "key": ["name"], "id": "a"}"#, "“id” is not known here"),
  ]) func anUpsertWithAnotherFormIsRefused(text: String, message: String) {
    let error = #expect(throws: StoreError.self) { try line(text) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func aLineStandsAloneIfItSpeaksOfItsCommit() throws {
    #expect(try !line(#"{"delete": "$a"}"#).standsAlone)
    #expect(try line(#"{"commit": [{"delete": "$a"}]}"#).standsAlone)
    #expect(try line(#"{"commit": []}"#).operations.isEmpty)
    #expect(try line(#"{"delete": "$a", "author": "me"}"#).standsAlone)
    #expect(try line(#"{"delete": "$a", "message": "why"}"#).info.message == "why")
    #expect(
      try line(#"{"delete": "$a", "happenedAt": "2026-01-02T03:04:05Z"}"#).info.happenedAt
        == Timestamp("2026-01-02T03:04:05Z"))
    #expect(try line(#"{"delete": "$a", "commitID": "0190163d-8694-739b-aea5-966c26f8ad91"}"#).standsAlone)
  }
}
