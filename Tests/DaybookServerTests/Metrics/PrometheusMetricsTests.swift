#if Server

import DaybookTestSupport
import Foundation
import Hummingbird
import HummingbirdTesting
import Metrics
import Testing

@testable import Daybook
@testable import DaybookRuntime
@testable import DaybookServer

@Suite(.hangLimit) struct PrometheusMetricsTests {
  @Test func eachKindIsPrinted() {
    let metrics = PrometheusMetrics()
    metrics.makeCounter(label: "a.requests", dimensions: [("path", "a\"\\\n")]).increment(by: 2)
    metrics.makeCounter(label: "a.requests", dimensions: [("path", "a\"\\\n")]).increment(by: 3)
    metrics.makeMeter(label: "size", dimensions: []).set(1.5)
    let timer = metrics.makeTimer(label: "wait", dimensions: [("b", "2"), ("a", "1")])
    timer.recordNanoseconds(700_000)
    timer.recordNanoseconds(2_000_000_000)
    let lines = metrics.text.split(separator: "\n")
    #expect(lines.contains(#"a_requests_total{path="a\"\\\n"} 5.0"#))
    #expect(lines.contains("size 1.5") && lines.contains("# TYPE size gauge"))
    #expect(lines.contains("# TYPE wait_seconds histogram"))
    #expect(lines.contains(#"wait_seconds_bucket{a="1",b="2",le="0.0005"} 0"#))
    #expect(lines.contains(#"wait_seconds_bucket{a="1",b="2",le="0.001"} 1"#))
    #expect(lines.contains(#"wait_seconds_bucket{a="1",b="2",le="+Inf"} 2"#))
    #expect(lines.contains(#"wait_seconds_count{a="1",b="2"} 2"#))
    #expect(lines.contains(#"wait_seconds_sum{a="1",b="2"} 2.0007"#))
  }

  @Test func aNameHasOneKind() {
    let metrics = PrometheusMetrics()
    metrics.makeMeter(label: "x_total", dimensions: []).set(Int64(1))
    metrics.makeCounter(label: "x", dimensions: []).increment(by: 7)
    #expect(metrics.text.contains("x_total 1.0") && !metrics.text.contains("7"))
  }

  @Test func anInstrumentThatIsDestroyedIsNotPrinted() {
    let metrics = PrometheusMetrics()
    let counter = metrics.makeCounter(label: "x", dimensions: [])
    #expect(metrics.text.contains("x_total 0.0"))
    metrics.destroyCounter(counter)
    #expect(metrics.text.isEmpty)
  }

  /// The backend of this process: it can be installed once.
  private static let installed: PrometheusMetrics = {
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    return metrics
  }()

  @Test func theMetricsOfAStoreArePrinted() async throws {
    let metrics = PrometheusMetricsTests.installed
    try await withTemporaryStore(FeedTestModel.model, named: UUID().uuidString) { store in
      let server = try DaybookServer(store: store, metrics: metrics)
      try await server.application.test(.router) { client in
        let values: [String: Value] = ["name": "Cake", "kind": "a", "rank": 1]
        var changes = store.changes(of: Request(entity: "Dish"), from: try store.position).makeAsyncIterator()
        for _ in 0..<3 { try await store.write { _ = try $0.insert("Dish", values) } }
        _ = try await changes.next()
        let answer = try await client.execute(uri: "/metrics", method: .get)
        #expect(answer.status == .ok && answer.headers[.contentType] == "text/plain; version=0.0.4")
        let name = URL(filePath: store.path).lastPathComponent
        let directory = URL(filePath: store.path).deletingLastPathComponent().path
        #expect(!String(buffer: answer.body).contains(directory))
        let own = String(buffer: answer.body).split(separator: "\n").filter { $0.contains(name) }
        func value(_ name: String) -> Double? {
          own.first { $0.hasPrefix("\(name){") || $0.hasPrefix("\(name) ") }?.split(separator: " ").last.flatMap {
            Double($0)
          }
        }
        #expect(value("daybook_commits_total") == 3)
        #expect(value("daybook_events_total") == 3)
        #expect(value("daybook_flush_seconds_count") == 3)
        #expect(value("daybook_fold_seconds_count") == 3)
        #expect((value("daybook_fold_seconds_sum") ?? 0) > 0)
        #expect(value("daybook_readers") != nil && value("daybook_oldest_reader_seconds") != nil)
        #expect((value("daybook_map_used_bytes") ?? 0) > 4_096)
        #expect((value("daybook_file_bytes") ?? 0) > 4_096)
      }
    }
  }

  @Test func theGaugesOfAStoreThatIsOnlyOpenAreSet() async throws {
    let metrics = PrometheusMetricsTests.installed
    try await withTemporaryStore(FeedTestModel.model, named: UUID().uuidString) { store in
      let name = URL(filePath: store.path).lastPathComponent
      var isSet = false
      for _ in 0..<5_000 where !isSet {
        isSet = metrics.text.split(separator: "\n").contains { $0.hasPrefix("daybook_readers{") && $0.contains(name) }
        if !isSet { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(isSet)
    }
  }

  @Test func theLagOfAFeedIsMeasured() async throws {
    let metrics = PrometheusMetricsTests.installed
    try await withTemporaryStore(FeedTestModel.model, named: UUID().uuidString) { store in
      let feed = store.changes(of: Request(entity: "Dish"), from: try store.position)
      let task = Task {
        var changes = feed.makeAsyncIterator()
        return try await changes.next()
      }
      while store.notifier.isIdle { try await Task.sleep(for: .milliseconds(1)) }
      try await Task.sleep(for: .milliseconds(20))
      try await store.write { _ = try $0.insert("Dish", ["name": "Cake", "kind": "a", "rank": 1]) }
      _ = try await task.value
      let line = metrics.text.split(separator: "\n").first {
        $0.hasPrefix("daybook_feed_lag_seconds_count") && $0.contains(URL(filePath: store.path).lastPathComponent)
      }
      #expect(line?.hasSuffix(" 1") == true)
    }
  }

  @Test func aServerWithoutMetricsSaysSo() async throws {
    try await withTemporaryStore(FeedTestModel.model, named: UUID().uuidString) { store in
      try await DaybookServer(store: store).application.test(.router) { client async throws in
        #expect(try await client.execute(uri: "/metrics", method: .get).status == .notFound)
      }
    }
  }
}

#endif
