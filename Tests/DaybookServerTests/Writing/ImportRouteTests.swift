#if Server && Import

import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookServer

/// Imports of rows over HTTP.
@Suite("Imports over HTTP", .hangLimit) struct ImportRouteTests {
  private static let model = Model(entities: [
    Entity(
      name: "Kind", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "dishes", target: "Dish", inverse: "kind", isMany: true)], unique: [["name"]]),
    Entity(
      name: "Dish",
      attributes: [Attribute(name: "name", type: .string), Attribute(name: "price", type: .decimal, isOptional: true)],
      relationships: [Relationship(name: "kind", target: "Kind", inverse: "dishes", isOptional: true)],
      unique: [["name"]]),
  ])

  private static let csv = "name,price,kind\nCake,4.50,Sweet\nSoup,,\n"

  private func names(_ store: Store) throws -> [String] {
    try store.read {
      try $0.fetch(Request(entity: "Dish", sort: [SortTerm(path: ["name"])])).rows.map { $0["name"].text }
    }
  }

  @Test("Rows with a key are inserted or changed, and sent again write nothing")
  func upserts() async throws {
    try await withWriter(Self.model) { store, writer in
      try await store.write { tx in try tx.insert("Kind", ["name": "Sweet"]) }
      let path = "/api/import/Dish?key=name&link=kind%3DKind.name&source=menu.csv&message=new"
      let answer = try await writer.post(path, Self.csv, type: "text/csv")
      #expect(answer.status == .created, "\(answer.text)")
      #expect(answer.json["position"]?.integerValue == Int64(try store.position.number))
      #expect(answer.json["report"]?["entities"]?.elements?[0]["objects"]?.integerValue == 2)
      #expect(try names(store) == ["Cake", "Soup"])
      var log = try store.log(from: store.position)
      let commit = try #require(try log.next())
      #expect(commit.author == "anna" && commit.message == "new")
      #expect(commit.metadata["source"] == .some("menu.csv"))
      let again = try await writer.post(path, Self.csv, type: "text/csv")
      #expect(again.status == .ok && again.json["report"]?["commits"]?.integerValue == 0, "\(again.text)")
      let changed = try await writer.post(path, Self.csv.replacing("4.50", with: "5"), type: "text/csv; charset=utf-8")
      #expect(changed.status == .created)
      #expect(try store.read { try $0.count(Request<StoredObject>(entity: "Dish")) } == 2)
    }
  }

  @Test("An entity that the store lacks is added, from JSON with nested objects")
  func newEntity() async throws {
    try await withWriter(Self.model) { store, writer in
      let json = #"[{"title": "A", "parts": [{"size": 1}, {"size": 2}]}, {"title": "B", "parts": []}]"#
      let answer = try await writer.post("/api/import/Box?nested=true", json)
      #expect(answer.status == .created, "\(answer.text)")
      #expect(try store.read { try $0.count(Request<StoredObject>(entity: "Box")) } == 2)
      let lines = try await writer.post("/api/import/Line", "{\"n\": 1}\n{\"n\": 2}\n", type: "application/x-ndjson")
      #expect(lines.status == .created, "\(lines.text)")
      #expect(try store.read { try $0.count(Request<StoredObject>(entity: "Line")) } == 2)
    }
  }

  @Test("A preview has the columns, the first rows and the report, and writes nothing")
  func preview() async throws {
    try await withWriter(Self.model) { store, writer in
      let head = try store.position
      let answer = try await writer.post(
        "/api/import/Dish?preview=true&rows=1&key=name&type=kind%3Dstring", Self.csv.replacing(",kind", with: ",note"),
        type: "text/csv")
      // The entity of the store decides which columns there may be.
      #expect(answer.status == .badRequest && answer.text.contains("kind"), "\(answer.text)")
      let other = try await writer.post("/api/import/Menu?preview=true&rows=1", Self.csv, type: "text/csv")
      #expect(other.status == .ok, "\(other.text)")
      #expect(
        other.json["columns"]?.text
          == #"[{"name": "name", "attribute": "name", "type": "string"}, {"name": "price", "attribute": "price", "#
          + #""type": "double"}, {"name": "kind", "attribute": "kind", "type": "string"}]"#)
      #expect(other.json["rows"]?.text == #"[["Cake", 4.5, "Sweet"]]"#)
      #expect(other.json["report"]?["commits"]?.integerValue == 0)
      #expect(try store.position == head)
    }
  }

  @Test("A preview of rows that the store refuses has them beside the problem")
  func previewOfRefusedRows() async throws {
    try await withWriter(Self.model) { store, writer in
      try await store.write { tx in try tx.insert("Dish", ["name": "Cake"]) }
      let answer = try await writer.post("/api/import/Dish?preview=true", "name\nPie\n", type: "text/csv")
      #expect(answer.status == .ok && answer.json["rows"]?.text == #"[["Pie"]]"#, "\(answer.text)")
      let detail = try #require(answer.json["problem"]?["detail"]?.stringValue)
      #expect(
        detail.contains("has 1 objects already") && detail.contains("“key”") && !detail.contains("--"), "\(detail)")
      #expect(answer.json["report"] == nil)
      let unique = try await writer.post(
        "/api/import/Kind?preview=true", "name\nSour\nSour\n", type: "text/csv")
      #expect(unique.json["problem"]?["detail"]?.stringValue?.contains("unique") == true, "\(unique.text)")
    }
  }

  @Test("What cannot be imported is answered with its place, and nothing is written")
  func refusals() async throws {
    try await withWriter(Self.model) { store, writer in
      let head = try store.position
      let cases: [(path: String, body: String, type: String, status: Int, words: String)] = [
        ("Dish", "name,price\nA\n", "text/csv", 422, "line 2"), ("Dish", "", "text/csv", 422, "header"),
        ("Dish?type=price%3Dmoney", Self.csv, "text/csv", 400, "money"),
        ("Dish?link=kind%3DKind", Self.csv, "text/csv", 400, "COLUMN=ENTITY.ATTRIBUTE"),
        ("Dish?link=kind%3DKind.name", Self.csv, "text/csv", 422, "Sweet"),
        ("Dish?delimiter=ab", Self.csv, "text/csv", 400, "delimiter"),
        ("Dish?encoding=ebcdic", Self.csv, "text/csv", 400, "ebcdic"),
        ("Dish", "[1]", "application/json", 422, "1"), ("Dish", "{", "application/json", 422, "line 1"),
        ("Dish", "name\nA\n", "text/plain", 415, "text/csv"),
        ("Dish?type=price", Self.csv, "text/csv", 400, "COLUMN=TYPE"),
        ("Dish", "name\nA\n", "text/csv; charset=ebcdic", 400, "ebcdic"),
        ("No%20name", "a\n1\n", "text/csv", 400, "No name"),
        ("Dish?nonsense=1", "name\nA\n", "text/csv", 400, "nonsense"),
      ]
      for (path, body, type, status, words) in cases {
        let answer = try await writer.post("/api/import/\(path)", body, type: type)
        #expect(answer.status.code == status, "\(path) \(body): \(answer.text)")
        #expect(answer.text.contains(words), "\(path) \(body): \(answer.text)")
      }
      #expect(try store.position == head)
      let open = try await writer.post("/api/import/Dish", "name\nA\n", type: "text/csv", hasToken: false)
      #expect(open.status == .unauthorized)
    }
    try await withWriter(Self.model, allowsWriting: false) { _, writer in
      let closed = try await writer.post("/api/import/Dish", "name\nA\n", type: "text/csv")
      #expect(closed.status == .forbidden)
    }
  }
}

#endif
