#if Server

import Daybook
import DaybookTestSupport
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

/// Streams of requests, over the router without a socket.
@Suite(.hangLimit) struct FeedStreamTests {
  @Test func aStreamBeginsWithTheState() async throws {
    try await withFeeds { store, client in
      let id = try await store.write { try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let events = try await client.events("/api/changes/Dish?count=0&counts=true")
      #expect(events.map(\.name) == ["state"])
      #expect(events[0].json["sections"]?[0]?["objects"]?[0]?["id"]?.stringValue == "\(id)")
      #expect(events[0].json["total"]?.integerValue == 1)
      #expect(events[0].json["counts"]?.text == #"[{"name": "", "count": 1}]"#)
      let head = try store.read { try $0.cursor(at: $0.position) }
      #expect(events[0].id == "\(head)")
    }
  }

  @Test func aDifferenceIsWhatDiffPrints() async throws {
    try await withFeeds { store, client in
      var (ids, random) = ([ObjectID](), SeededRandom(seed: 5))
      let start = try store.position
      for _ in 0..<20 { try FeedTestModel.write(store, &ids, &random) }
      for query in FeedTestModel.queries {
        let events = try await client.events("/api/changes/Dish?\(query)&from=\(start)&count=1")
        let expected = try store.difference(of: try request(query), from: start)
        #expect(events.map(\.name) == ["difference"])
        #expect(events.first?.difference.text == expected.json.text, "\(query)")
        #expect(events.first?.position == expected.to)
        for row in expected.difference.rows where row.to != nil {
          #expect(events.first?.json["objects"]?["\(row.id)"]?["id"]?.stringValue == "\(row.id)")
        }
      }
    }
  }

  @Test func aStreamHasTheValuesThatItsRequestShows() async throws {
    try await withFeeds { store, client in
      let id = try await store.write { try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let start = try store.position
      let first = try await client.events("/api/changes/Dish?show=rank,kind&count=0")
      #expect(first[0].json["sections"]?[0]?["objects"]?[0]?["shown"]?.text == #"{"rank": 1, "kind": "a"}"#)
      // No request shows the name, so that the second commit is no difference.
      try await store.write { try $0.set(id, ["kind": "b"]) }
      try await store.write { try $0.set(id, ["name": "Pie"]) }
      let requests = ["Dish%3Fshow%3Dkind", "Dish%3Fshow%3Drank"].map { "follow=\($0)" }.joined(separator: "&")
      let events = try await client.events("/api/changes?\(requests)&from=\(start)&count=1")
      #expect(events.map { $0.json["request"]?.integerValue } == [0])
      #expect(events.first?.json["objects"]?["\(id)"]?["shown"]?.text == #"{"kind": "b"}"#)
      #expect(events.first?.json["causes"]?["\(id)"]?.text == "[\(start.number + 1)]")
      let plain = try await client.events("/api/changes/Dish?from=\(start)&count=1")
      #expect(plain.first?.json["objects"]?["\(id)"]?["shown"] == nil)
    }
  }

  @Test func eachCommitIsADifferenceOfItsOwn() async throws {
    try await withFeeds { store, client in
      var (ids, random) = ([ObjectID](), SeededRandom(seed: Seeds.one))
      let start = try store.position
      for _ in 0..<150 { try FeedTestModel.write(store, &ids, &random) }
      for query in FeedTestModel.queries {
        let wanted = try request(query)
        var expected: [String] = []
        var given = start
        for number in (start.number + 1)...(try store.position.number) {
          let change = try store.difference(of: wanted, from: Position(number - 1), to: Position(number))
          // A window shows how many rows are around it, so it changes with them.
          let totals = try [number - 1, number].map { try store.at(Position($0)).count(wanted.fetch.unlimited.untyped) }
          guard !change.isEmpty || totals[0] != totals[1] else { continue }
          // The commits since the position that was stated last moved no row, but may be among the causes.
          expected.append(try store.difference(of: wanted, from: given, to: Position(number)).json.text)
          given = Position(number)
        }
        let events = try await client.events(
          "/api/changes/Dish?\(query)&from=\(start)&everyCommit=true&count=\(expected.count)")
        #expect(events.map(\.difference.text) == expected, "seed \(random.seed), \(query)")
      }
    }
  }

  @Test func anIdOfTheHeaderWinsOverTheParameter() async throws {
    try await withFeeds { store, client in
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let middle = try store.position
      try await store.write { _ = try $0.insert("Dish", ["name": "Pie", "kind": "a", "rank": 1]) }
      let events = try await client.events("/api/changes/Dish?from=0&count=1", lastEventID: "\(middle)")
      #expect(events.first?.json["from"]?.integerValue == Int64(middle.number))
      #expect(events.first?.json["rows"]?.elements?.count == 1)
    }
  }

  @Test func anotherJournalsIdAndALaterPositionAreResets() async throws {
    try await withFeeds { store, client in
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let head = try store.position
      for cursor in ["\(head)-00000000", "\(head.number + 1)", "\(head.number + 1)-00000000"] {
        let events = try await client.events("/api/changes/Dish?count=0", lastEventID: cursor)
        #expect(events.map(\.name) == ["reset", "state"], "\(cursor)")
        #expect(events.first?.id == nil && events.last?.position == head)
        #expect(events.first?.json["reset"]?.booleanValue == true)
      }
      let known = try store.read { try $0.cursor(at: head) }
      #expect(try await client.events("/api/changes/Dish?count=0&from=\(known)").isEmpty)
    }
  }

  @Test(arguments: [
    "/api/changes/Dish?from=x", "/api/changes/Dish?from=-1", "/api/changes/Dish?from=1-xyz",
    "/api/changes/Dish?from=1-",
    "/api/changes/Dish?where=(", "/api/changes/Dish?sort=nothing", "/api/changes/Dish?limit=10001",
    "/api/changes/Dish?limit=-1", "/api/changes/Dish?everyCommit=perhaps", "/api/changes/Dish?colour=red",
    "/api/changes", "/api/changes?follow=Dish%3Fcolour%3Dred", "/api/tree/stream", "/api/commits/stream?kind=x",
    "/api/commits/stream?where=(", "/api/commits/stream?since=x",
  ])
  func whatCannotBeReadIsAProblem(_ uri: String) async throws {
    try await withFeeds { _, client in
      let response = try await client.execute(uri: uri, method: .get)
      #expect(response.status == .badRequest)
      #expect(response.headers[.contentType] == "application/problem+json")
    }
  }

  @Test func aChangeOfTheModelIsAResetAndTheState() async throws {
    try await withFeeds { store, client in
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let start = try store.position
      var model = FeedTestModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      try await store.write { _ = try $0.insert("Dish", ["name": "Pie", "kind": "a", "rank": 1]) }
      let head = try store.position
      // The stream ends after the difference that follows its state.
      let writer = FeedTestModel.startWriting(to: store, seed: 1)
      let received = try await client.events("/api/changes/Dish?from=\(start)&count=1")
      try await writer.stop()
      #expect(received.map(\.name) == ["reset", "state", "difference"])
      #expect(received.first?.id == nil)
      #expect(try #require(received.dropFirst().first?.position) >= head)
      #expect(received.dropFirst().first?.json["sections"]?[0]?["objects"]?[0]?["values"]?["note"]?.isNull == true)
    }
  }

  @Test(arguments: ["", "&everyCommit=true"], ["", "&counts=true&section=kind"])
  func aTotalThatChangesOutsideTheWindowIsADifference(_ step: String, _ counts: String) async throws {
    try await withFeeds { store, client in
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let start = try store.position
      let pie = try await store.write { try $0.insert("Dish", ["name": "Pie", "kind": "b", "rank": 2]) }
      let window = "sort=rank&limit=1\(step)\(counts)"
      let events = try await client.events("/api/changes/Dish?\(window)&from=\(start)&count=1")
      #expect(events.map(\.name) == ["difference"])
      #expect(events.first?.json["rows"]?.elements?.isEmpty == true && events.first?.json["total"]?.integerValue == 2)
      if !counts.isEmpty {
        #expect(events.first?.json["counts"]?.text == #"[{"name": "a", "count": 1}, {"name": "b", "count": 1}]"#)
      }
      // What changes neither the window nor the number of rows sends no event.
      let head = try store.position
      try await store.write { try $0.set(pie, ["rank": 9]) }
      try await store.write { _ = try $0.insert("Dish", ["name": "Tart", "kind": "b", "rank": 3]) }
      let next = try await client.events("/api/changes/Dish?\(window)&from=\(head)&count=1")
      #expect(next.map { $0.json["total"]?.integerValue } == [3])
    }
  }

  @Test func countsFollowTheSectionsThroughRandomCommits() async throws {
    try await withFeeds { store, client in
      var (ids, random) = ([ObjectID](), SeededRandom(seed: Seeds.one))
      let start = try store.position
      for _ in 0..<60 { try FeedTestModel.write(store, &ids, &random) }
      let uri = "/api/changes/Dish?section=kind&sort=rank&limit=2&counts=true&everyCommit=true&from=\(start)&count=20"
      for event in try await client.events(uri) {
        var wanted = Request(entity: "Dish", section: try SectionKey(parsing: "kind"))
        wanted.sort = [try SortTerm(parsing: "rank")]
        let position = try #require(event.position)
        let sections = try store.read { try $0.read(at: position) { try $0.sections(of: wanted) } }
        let expected = sections.map { #"{"name": "\#($0.name)", "count": \#($0.count)}"# }.joined(separator: ", ")
        #expect(event.json["counts"]?.text == "[\(expected)]", "seed \(random.seed) at \(position)")
      }
    }
  }

  @Test func aModelThatRenamesAnAttributeIsAReset() async throws {
    try await withFeeds { store, client in
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let start = try store.position
      var model = FeedTestModel.model
      model.entities[0].attributes[2].name = "place"
      model.entities[0].attributes[2].renamedFrom = "rank"
      try store.apply(model)
      try await store.write { _ = try $0.insert("Dish", ["name": "Pie", "kind": "a", "place": 1]) }
      for step in ["", "&everyCommit=true"] {
        let writer = FeedTestModel.startRenaming(store)
        let events = try await client.events("/api/changes/Dish?sort=name&from=\(start)&count=1\(step)")
        try await writer.value
        #expect(events.prefix(2).map(\.name) == ["reset", "state"])
        let values = events.dropFirst().first?.json["sections"]?[0]?["objects"]?[0]?["values"]
        #expect(values?["place"]?.integerValue == 1 && values?["rank"] == nil)
      }
    }
  }

  @Test func theFaultOfOneOfSeveralRequestsSaysWhichItIs() async throws {
    try await withFeeds { _, client in
      for (uri, within) in [
        ("/api/changes?follow=Dish&follow=Dish%3Fwhere%3Dnope", "where"),
        ("/api/changes?follow=Dish&follow=Dish%3Fsort%3Dname%3Abogus", "sort"),
        ("/api/changes?follow=Dish&follow=Dish%3Flimit%3Dx", "limit"),
      ] {
        let answer = try await client.execute(uri: uri, method: .get)
        let json = try JSONValue(parsing: String(buffer: answer.body))
        #expect(json["parameter"]?.stringValue == "follow" && json["request"]?.integerValue == 1, "\(json.text)")
        #expect(json["within"]?.stringValue == within, "\(json.text)")
      }
    }
  }

  @Test(arguments: ["/api/changes/Dish", "/api/changes?follow=Dish", "/api/commits/stream"])
  func theHeaderOfAStreamBeginsNone(_ uri: String) async throws {
    try await withFeeds { _, client in
      let answer = try await client.execute(uri: uri, method: .head)
      #expect(answer.status == .ok && answer.headers[.contentType] == "text/event-stream")
      #expect(answer.headers[.contentLength] == nil)
    }
  }

  @Test func aTopicKeepsNeitherItsStateNorItsSteps() async throws {
    try await withTemporaryStore(FeedTestModel.model) { store in
      let start = try store.read { try $0.cursor(at: $0.position) }
      let followed = FollowedRequests(
        requests: [Request(entity: "Dish", limit: 100).fetch], isNumbered: false, listsCounts: [false],
        granularity: .coalesced)
      let topic = FeedTopic(.requests(followed), of: store, from: start, within: .seconds(10))
      topic.start()
      defer { topic.close() }
      _ = try await topic.present()
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      let end = try store.position
      try await wait(for: topic, at: end)
      #expect(topic.kept.state && topic.kept.stepByteCount > 0)
      topic.tick(.now + FeedTopic.lifetime + .seconds(1), head: end)
      #expect(!topic.kept.state && topic.kept.stepByteCount == 0)
      // A stream that has not read the step gets one of its own.
      guard case .missed = try topic.next(after: start) else {
        throw Mismatch("the topic has a step after \(start)")
      }
      #expect(try await topic.catchUp(from: start).step?.end.position == end)
    }
  }

  @Test(arguments: [false, true])
  func aTopicWhoseResultsChangeAllTheTimeKeepsItsLastSteps(isStepwise: Bool) async throws {
    try await withTemporaryStore(FeedTestModel.model) { store in
      let start = try store.read { try $0.cursor(at: $0.position) }
      let followed = FollowedRequests(
        requests: [Request(entity: "Dish").fetch], isNumbered: false, listsCounts: [false],
        granularity: isStepwise ? .everyCommit : .coalesced)
      let topic = FeedTopic(.requests(followed), of: store, from: start, within: .seconds(10))
      topic.start()
      defer { topic.close() }
      func insert(_ names: [String]) async throws {
        for name in names {
          try await store.write { _ = try $0.insert("Dish", ["name": .string(name), "kind": "a", "rank": 1]) }
          try await wait(for: topic, at: store.position)
        }
      }
      try await insert(["Cake", "Soup", "Salad"])
      #expect(topic.kept.stepCount == (isStepwise ? 3 : 1))
      let between = ContinuousClock.now
      try await insert(["Stew"])
      topic.tick(between + FeedTopic.lifetime, head: try store.position)
      #expect(topic.kept.stepCount == 1)
      guard case .step(let step) = try topic.next(after: FeedCursor(Position(store.position.number - 1))) else {
        throw Mismatch("the topic has not its last step")
      }
      #expect(topic.kept.stepByteCount == step.byteCount)
    }
  }

  private func wait(for topic: FeedTopic, at position: Position) async throws {
    for _ in 0..<6_000 where topic.head.position < position { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func requestsFollowedTogetherCarryTheirIndex() async throws {
    try await withFeeds { store, client in
      let start = try store.position
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      try await store.write { _ = try $0.insert("Dish", ["name": "Pie", "kind": "a", "rank": 9]) }
      let follow = "follow=Dish%3Fwhere%3Drank%2520%253E%25205&follow=Dish%3Fcounts%3Dtrue"
      let states = try await client.events("/api/changes?\(follow)&count=0")
      #expect(states.map { $0.json["request"]?.integerValue } == [0, 1])
      #expect(states.map { $0.json["total"]?.integerValue } == [1, 2])
      #expect(states.map { $0.id == nil } == [true, false])
      let changes = try await client.events("/api/changes?\(follow)&from=\(start)&count=1")
      #expect(changes.map { $0.json["request"]?.integerValue } == [0, 1])
      #expect(changes.map { $0.json["rows"]?.elements?.count } == [1, 2])
      #expect(changes.map { $0.json["counts"] == nil } == [true, false])
      #expect(changes.map { $0.id == nil } == [true, false])
    }
  }

  @Test func commitsAreLinesOfTheLog() async throws {
    try await withFeeds { store, client in
      for number in 0..<5 {
        try await store.write(author: number.isMultiple(of: 2) ? "ann" : "bob") {
          _ = try $0.insert("Dish", ["name": .string("\(number)"), "kind": "a", "rank": 1])
        }
      }
      let events = try await client.events("/api/commits/stream?from=0&author=ann&count=3")
      #expect(events.map(\.name) == ["commit", "commit", "commit"])
      #expect(events.map { $0.json["position"]?.integerValue } == events.map { $0.position.map { Int64($0.number) } })
      #expect(events.map { $0.json["author"]?.stringValue } == ["ann", "ann", "ann"])
    }
  }
}

#endif
