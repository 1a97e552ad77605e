#if Server

import Daybook
import DaybookModel
import DaybookTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Commits over HTTP, over the router without a socket.
@Suite(.hangLimit) struct WritingTests {
  @Test func aCommitAnswersWithItsPositionAndItsIDs() async throws {
    try await withWriter { store, writer in
      let answer = try await writer.post("/api/commits", dish("Cake", as: "$cake"))
      #expect(answer.status == .created)
      let id = try #require(answer.json["ids"]?["$cake"]?.stringValue.flatMap { ObjectID($0) })
      #expect(try store.get(id)?["name"] == "Cake")
      #expect(answer.json["position"]?.integerValue == Int64(try store.position.number))
      var log = try store.log(from: store.position)
      #expect(try log.next()?.author == "anna")
    }
  }

  @Test func aCommitWithoutAnEffectAnswersWithTheHead() async throws {
    try await withWriter { store, writer in
      let made = try await writer.post("/api/commits", dish("Cake", as: "$cake"))
      let id = try #require(made.json["ids"]?["$cake"]?.stringValue)
      let head = try store.position
      let answer = try await writer.post("/api/commits", #"{"set": "\#(id)", "values": {"name": "Cake"}}"#)
      #expect(answer.status == .ok && answer.json["position"]?.integerValue == Int64(head.number))
      #expect(try store.position == head)
    }
  }

  /// While the threads for blocking work are taken, a body waits for one of them, and everything else is answered.
  @Test func aBodyIsParsedOffTheServingThreads() async throws {
    try await withTemporaryStore(FeedTestModel.model) { store in
      try await withServer(store, ServerConfiguration(port: 0, allowsWriting: true)) { port, server in
        let head = "POST /api/commits HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.token ?? "")\r\n"
        @Sendable func answer(_ type: String) async throws -> String {
          try await RawRequest.head(of: "\(head)Content-Type: \(type)\r\nContent-Length: 1\r\n\r\n{", port: port)
        }
        let threads = try await TakenThreads()
        defer { threads.free() }
        let parsed = Locked<String?>(nil)
        async let malformed: Void = {
          let head = try await answer("application/json")
          parsed.withLock { $0 = head }
        }()
        for _ in 0..<5 {
          let alive = try await RawRequest.head(of: "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
          #expect(alive.hasPrefix("HTTP/1.1 200"), "\(alive)")
          // The same request, refused before its body is parsed.
          #expect(try await answer("text/plain").hasPrefix("HTTP/1.1 415"))
        }
        #expect(parsed.withLock { $0 } == nil)
        threads.free()
        try await malformed
        #expect(parsed.withLock { $0 }?.hasPrefix("HTTP/1.1 400") == true)
      }
    }
  }

  @Test func aKnownKeyAnswersAsBeforeEvenIfTheConditionFails() async throws {
    try await withWriter { store, writer in
      let key = "0190163d-8694-739b-aea5-966c26f8ad91"
      let first = try await writer.post("/api/commits", dish("Cake", as: "$cake"), key: key)
      let id = try #require(first.json["ids"]?["$cake"]?.stringValue)
      let head = try store.position
      let line = """
        {"commit": [{"insert": "Dish", "as": "$cake", "values": {"name": "x", "kind": "a", "rank": 1}}],
         "when": {"untouched": "\(id)", "since": 0}}
        """
      let again = try await writer.post("/api/commits", line, key: key)
      #expect(again.status == .created && again.json == first.json)
      let other = try await writer.post(
        "/api/commits", #"{"delete": "\#(id)", "commitID": "0190163d-8694-739b-aea5-966c26f8ad92"}"#, key: key)
      #expect(other.status == .badRequest)
      #expect(try await writer.post("/api/commits", dish("Pie", as: "$p"), key: "key").status == .badRequest)
      #expect(try store.position == head)
    }
  }

  @Test func aConditionThatFailsIsAConflict() async throws {
    try await withWriter { store, writer in
      let made = try await writer.post("/api/commits", dish("Cake", as: "$cake"))
      let id = try #require(made.json["ids"]?["$cake"]?.stringValue)
      let line = #"{"delete": "\#(id)", "when": {"untouched": "\#(id)", "since": 0}}"#
      #expect(try await writer.post("/api/commits", line).status == .conflict)
      #expect(try await writer.post("/api/revert", #"{"position": 2}"#).status == .created)
      _ = store
    }
  }

  @Test(arguments: [
    ("", 400), ("{", 400), ("[]", 400), ("{}", 400), (#"{"insert": "Dish", "values": {"rank": "x"}}"#, 400),
    (#"{"delete": "0190163d-8694-739b-aea5-966c26f8ad91"}"#, 422), (#"{"insert": "Dish", "values": {}}"#, 422),
    (#"{"insert": "Dish", "colour": 1}"#, 400), (#"{"delete": "x", "author": "me"}"#, 403),
    (#"{"commit": [{"insert": "Dish", "values": {"name": "a", "kind": "a", "rank": 1}}, {"delete": "$no"}]}"#, 422),
  ])
  func whatIsRefusedWritesNothing(_ body: String, _ status: Int) async throws {
    try await withWriter { store, writer in
      let head = try store.position
      let answer = try await writer.post("/api/commits", body)
      #expect(answer.status.code == status, "\(answer.json.text)")
      #expect(answer.type == "application/problem+json")
      #expect(try store.position == head)
    }
  }

  @Test func aBrokenRuleIsNamed() async throws {
    let model = Model(entities: [
      Entity(name: "Note", attributes: [Attribute(name: "size", type: .integer, rules: [.minimum(2)])])
    ])
    try await withWriter(model) { store, writer in
      let answer = try await writer.post(
        "/api/commits",
        #"{"insert": "Note", "id": "0190163d-8694-739b-aea5-966c26f8ad91", "values": {"size": 1}}"#)
      #expect(answer.status == .unprocessableContent)
      let failure = #"{"entity": "Note", "object": "0190163d-8694-739b-aea5-966c26f8ad91", "#
      #expect(answer.json["failure"]?.text == failure + #""fields": ["size"], "rule": "minimum", "value": 1}"#)
      #expect(try store.position == 1)
    }
  }

  @Test func otherMediaTypesAndLargeBodiesAreRefused() async throws {
    try await withWriter { store, writer in
      let head = try store.position
      let plain = try await writer.post("/api/commits", dish("Cake", as: "$c"), type: "text/plain")
      #expect(plain.status == .unsupportedMediaType)
      let large = dish(String(repeating: "x", count: 17 << 20), as: "$c")
      #expect(try await writer.post("/api/commits", large).status == .contentTooLarge)
      #expect(try store.position == head)
    }
  }

  @Test func withoutATokenOrWithoutWritingItIsRefused() async throws {
    try await withWriter { _, writer in
      let answer = try await writer.post("/api/commits", dish("Cake", as: "$c"), hasToken: false)
      #expect([401, 403].contains(answer.status.code))
    }
    try await withTemporaryStore(FeedTestModel.model) { store in
      try await DaybookServer(store: store).application.test(.router) { client in
        let writer = WritingClient(client: client, token: nil)
        let answer = try await writer.post("/api/commits", dish("Cake", as: "$c"))
        #expect(answer.status == .forbidden)
      }
    }
  }

  /// Bodies that are broken at random: nothing ends the process, and what is refused writes nothing.
  @Test func randomBodiesAreAnsweredAndNeverWriteHalf() async throws {
    let seed = Seeds.one
    try await withWriter { store, writer in
      var random = SeededRandom(seed: seed)
      let form = "--b\r\nContent-Disposition: form-data; name=\"commit\"\r\n\r\n\(dish("Cake", as: "$c"))\r\n--b--\r\n"
      let texts: [(String, type: String)] = [
        (dish("Cake", as: "$c"), "application/json"), (form, "multipart/form-data; boundary=b"),
        (form, "multipart/form-data; boundary=\"b"), (form, "multipart/form-data"),
        (form, "multipart/form-data; boundary="),
        (#"{"commit": [\#(dish("Pie", as: "$p")), {"delete": "$p"}], "metadata": {"a": 1}}"#, "application/json"),
        (#"{"position": 2, "to": 3, "force": true}"#, "application/json"),
        (#"{"author": "a", "steps": 2, "as": "b"}"#, "application/json"),
      ]
      for _ in 0..<Rounds.of(2_000) {
        let (text, type) = random.pick(texts)
        var bytes = Array(text.utf8)
        for _ in 0..<random.number(0...3) where !bytes.isEmpty {
          let place = random.number(0..<bytes.count)
          switch random.number(0...3) {
          case 0: bytes.remove(at: place)
          case 1: bytes[place] = UInt8(random.number(0...255))
          case 2: bytes.insert(UInt8(random.number(0...255)), at: place)
          default: bytes.removeSubrange(place...)
          }
        }
        let path = random.pick(["/api/commits", "/api/commits", "/api/revert", "/api/undo", "/api/redo"])
        let before = try store.position
        let answer = try await writer.post(path, bytes: bytes, type: type)
        let isWritten = try store.position > before
        guard answer.status.code < 500, isWritten == (answer.status == .created) || answer.status == .created else {
          throw Mismatch("seed \(seed): \(path) \(String(decoding: bytes, as: UTF8.self)): \(answer)")
        }
      }
    }
  }

  private func dish(_ name: String, as reference: String) -> String {
    #"{"insert": "Dish", "as": "\#(reference)", "values": {"name": "\#(name)", "kind": "a", "rank": 1}}"#
  }

  private static let insert = #"{"insert": "Row", "as": "$a", "values": {"name": "a"}}"#

  @Test func aLineIsOneCommit() async throws {
    try await withWriter(RowStore.model) { store, writer in
      let answer = try await writer.post("/api/commits", "{\"commit\":\n [\(Self.insert)], \"message\": \"first\"}")
      #expect(answer.status.code == 201)
      let row = try #require(try store.fetch(Request(entity: "Row")).rows.first)
      #expect(answer.text == #"{"position": 2, "ids": {"$a": "\#(row.id)"}}"#)
      var log = try store.log(from: 2)
      #expect(try log.next()?.author == "anna")
      // The token's name is the author.
      let other = try await writer.post("/api/commits", #"{"delete": "\#(row.id)", "author": "ben"}"#)
      #expect(other.status.code == 403)
      let same = try await writer.post("/api/commits", #"{"set": "\#(row.id)", "values": {"name": "a"}}"#)
      #expect(same.status.code == 200)
      #expect(same.text == #"{"position": 2, "ids": {}}"#)
    }
  }

  @Test func eachFaultHasItsStatus() async throws {
    try await withWriter(RowStore.model) { store, writer in
      #expect(try await writer.post("/api/commits", Self.insert).status.code == 201)
      let cases: [(body: String, status: Int)] = [
        ("{", 400), ("[]", 400), (#"{"insert": "Row", "values": {"number": "x"}}"#, 400),
        (#"{"insert": "Row", "values": {"colour": 1}}"#, 422), (#"{"insert": "Row"}"#, 422),
        (#"{"delete": "0190163d-8694-739b-aea5-966c26f8ad91"}"#, 422), (#"{"delete": "$x"}"#, 422),
        (#"{"insert": "Row", "values": {"name": "b"}, "when": {"unchanged": {"entity": "Row"}, "since": 1}}"#, 409),
      ]
      for (body, status) in cases {
        let answer = try await writer.post("/api/commits", body)
        #expect(answer.status.code == status, "\(body): \(answer.text)")
        #expect(answer.text.contains("\"detail\""))
      }
      #expect(try await writer.post("/api/commits", Self.insert, type: "text/plain").status.code == 415)
      #expect(try store.position == 2)
    }
    try await withWriter(RowStore.model, allowsWriting: false) { store, writer async throws in
      #expect(try await writer.post("/api/commits", Self.insert).status.code == 403)
      #expect(try store.position == 1)
    }
  }

  @Test func filesOfAFormAreValues() async throws {
    let model = Model(entities: [
      Entity(name: "Photo", attributes: [Attribute(name: "image", type: .data)])
    ])
    try await withWriter(model) { store, writer in
      let body = [
        "--xyz", "Content-Disposition: form-data; name=\"commit\"", "",
        #"{"insert": "Photo", "values": {"image": {"file": "picture"}}}"#, "--xyz",
        "Content-Disposition: form-data; name=\"picture\"; filename=\"a.png\"", "Content-Type: image/png", "",
        "12\r\n--3", "--xyz--", "",
      ].joined(separator: "\r\n")
      let answer = try await writer.post("/api/commits", body, type: "multipart/form-data; boundary=xyz")
      #expect(answer.status.code == 201, "\(answer.text)")
      let photo = try #require(try store.fetch(Request(entity: "Photo")).rows.first)
      #expect(photo["image"] == .data(Array("12\r\n--3".utf8)))
      let cut = try await writer.post(
        "/api/commits", String(body.dropLast(9)), type: "multipart/form-data; boundary=xyz")
      #expect(cut.status.code == 400)
    }
  }

  /// A path in a body names a file of the client's machine, and must never be read from the server's.
  @Test func pathsAreNotRead() async throws {
    let model = Model(
      entities: [
        Entity(
          name: "Photo",
          attributes: [
            Attribute(name: "image", type: .data), Attribute(name: "settings", type: .codable, isOptional: true),
          ])
      ], events: [EventType(name: "Printed", about: "Photo", attributes: [Attribute(name: "page", type: .data)])])
    let directory = try TemporaryDirectory()
    let path = directory.path("secret")
    try "secret".write(toFile: path, atomically: false, encoding: .utf8)
    try await withWriter(model) { store, writer in
      let photo = try await store.write { try $0.insert("Photo", ["image": .data([1])]) }
      for body in [
        #"{"insert": "Photo", "values": {"image": {"file": "\#(path)"}}}"#,
        #"{"set": "\#(photo)", "values": {"image": {"file": "\#(path)"}}}"#,
        #"{"record": "Printed", "about": "\#(photo)", "values": {"page": {"file": "\#(path)"}}}"#,
        #"{"commit": [{"insert": "Photo", "values": {"image": {"file": "\#(path)"}}}]}"#,
      ] {
        let answer = try await writer.post("/api/commits", body)
        #expect((400..<500).contains(answer.status.code), "\(answer.text)")
        #expect(answer.text.contains("the path of a file is a value only in the lines"), "\(answer.text)")
        // In a form the name is of a part, which this form lacks.
        let form = [
          "--xyz", "Content-Disposition: form-data; name=\"commit\"", "", body, "--xyz--", "",
        ].joined(separator: "\r\n")
        let part = try await writer.post("/api/commits", form, type: "multipart/form-data; boundary=xyz")
        #expect(part.status.code == 400, "\(part.text)")
      }
      #expect(try store.position == 2)
      // It is an ordinary value of a codable attribute.
      let settings = #"{"set": "\#(photo)", "values": {"settings": {"file": "\#(path)"}}}"#
      #expect(try await writer.post("/api/commits", settings).status.code == 201)
      let object = try #require(try store.get(photo))
      #expect(object["settings"] == .data(Array(#"{"file":"\#(path)"}"#.utf8)))
    }
  }

  /// Every operation that writes a commit is carried out once for a key.
  @Test(arguments: [
    ("/api/commits", #"{"insert": "Row", "as": "$r", "values": {"name": "z"}}"#), ("/api/undo", "{}"),
    ("/api/undo", #"{"steps": 2.0}"#), ("/api/redo", "{}"), ("/api/revert", #"{"position": "head"}"#),
  ])
  func aRequestThatIsSentAgainIsCarriedOutOnce(_ path: String, _ body: String) async throws {
    try await withWriter(RowStore.model) { store, writer in
      let id = try await store.write { try $0.insert("Row", ["name": "a"]) }
      for number in 1...4 { try await store.write { try $0.set(id, ["number": .integer(Int64(number))]) } }
      if path == "/api/redo" { _ = try await writer.post("/api/undo", #"{"steps": 2}"#) }
      let key = "3C0A5B52-0000-4000-8000-0123456789AB"
      let first = try await writer.post(path, body, key: key)
      #expect(first.status == .created, "\(first.text)")
      let head = try store.position
      let again = try await writer.post(path, body, key: key)
      #expect(again.status == first.status && again.text == first.text, "\(again.text)")
      #expect(try store.position == head)
      // The id of another kind of commit stands for no undo.
      if path == "/api/commits" { #expect(try await writer.post("/api/undo", "{}", key: key).status == .conflict) }
      #expect(try await writer.post(path, body, key: "no UUID").status == .badRequest)
    }
  }

  @Test(
    arguments: [
      ("", "\r\n"), ("", ""), ("before\r\n", ""), ("\r\n", "after\r\n--X\r\n"),
    ], ["", "  ", "\t"])
  func aFormMayHaveTextAroundItsPartsAndSpacesAfterItsBoundaries(_ around: (String, String), _ padding: String) throws {
    let part = "Content-Disposition: form-data; name=\"commit\"\r\n\r\n--x"
    let text = "\(around.0)--X\(padding)\r\n\(part)\r\n--X--\(padding)\(around.1)"
    let form = try MultipartForm(Array(text.utf8), type: "multipart/form-data; boundary=X")
    #expect(form.parts == ["commit": Array("--x".utf8)])
  }

  /// RFC 2046, 5.1.1: a line that begins with the boundary is one.
  @Test func aBoundaryWithOtherTextAfterItIsRefused() {
    let part = "Content-Disposition: form-data; name=\"commit\"\r\n\r\nx"
    for text in ["--Xy\r\n\(part)\r\n--X--", "--X\r\n\(part)\r\n--Xy\r\n--X--"] {
      #expect(throws: Problem.self) { try MultipartForm(Array(text.utf8), type: "multipart/form-data; boundary=X") }
    }
  }

  @Test func theFaultyOperationOfSeveralIsNamed() async throws {
    try await withWriter(RowStore.model) { _, writer in
      let good = Self.insert
      for bad in [
        #"{"insert": "Row", "values": {"nope": 1}}"#, #"{"insert": "Row", "values": {"name": 1}}"#,
        #"{"insert": "Row", "values": {"name": "b"}, "bogus": 1}"#, #"{"insert": "Nope"}"#, "7",
        #"{"delete": "00000000-0000-4000-8000-000000000001"}"#,
      ] {
        let several = try await writer.post("/api/commits", #"{"commit": [\#(good), \#(bad), \#(good)]}"#)
        #expect(several.json["pointer"]?.stringValue == "/commit/1", "\(several.text)")
        let one = try await writer.post("/api/commits", bad)
        #expect((400..<500).contains(one.status.code) && one.json["pointer"] == nil, "\(one.text)")
      }
    }
  }

  @Test func commitsAreRevertedUndoneAndRedone() async throws {
    try await withWriter(RowStore.model) { store, writer in
      let id = try await store.write { try $0.insert("Row", ["name": "a"]) }
      try await store.write { try $0.set(id, ["number": 1]) }
      let undone = try await writer.post("/api/undo", "{}")
      #expect(undone.status.code == 201)
      #expect(undone.text == #"{"position": 4, "commits": [{"position": 4, "undoes": [3], "leftOut": []}]}"#)
      #expect(try await writer.post("/api/redo", "{}").status.code == 201)
      #expect(try await writer.post("/api/redo", "{}").status.code == 409)
      #expect(try await writer.post("/api/revert", #"{"position": 3}"#).status.code == 201)
      try await store.write { try $0.set(id, ["number": 2]) }
      try await store.write { try $0.set(id, ["number": 3]) }
      let conflict = try await writer.post("/api/revert", #"{"position": \#(try store.position.number - 1)}"#)
      #expect(conflict.status.code == 409)
      #expect(conflict.text.contains("commit \(try store.position)"))
      #expect(try await writer.post("/api/revert", #"{"position": 99}"#).status.code == 422)
      #expect(try await writer.post("/api/undo", #"{"steps": 0}"#).status.code == 400)
      #expect(try await writer.post("/api/undo", #"{"colour": 0}"#).status.code == 400)
    }
  }
}

#endif
