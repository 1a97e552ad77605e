#if Server

import Daybook
import Hummingbird
import Metrics

/// The operation that prints the metrics of the process.
struct MetricsRoute {
  private let state: ServerState
  private let feeds: FeedHub
  private let metrics: PrometheusMetrics?

  init(_ state: ServerState, _ feeds: FeedHub, _ metrics: PrometheusMetrics?) {
    (self.state, self.feeds, self.metrics) = (state, feeds, metrics)
  }

  var route: Route {
    Route(
      method: .get, path: "/metrics", summary: "Counters, gauges and histograms, as Prometheus text.",
      answers: [RouteAnswer(.ok, "text/plain", .text)]
    ) { [state, feeds, metrics] request in
      guard let metrics else {
        throw Problem(
          .notFound, "This server keeps no metrics.",
          advice: "The program that runs it sends them elsewhere, or nowhere.")
      }
      try await state.blocking(for: request) { try $0.reportMetrics() }
      let counts = feeds.counts
      metrics.makeMeter(label: "daybook_streams", dimensions: []).set(Int64(counts.streams))
      metrics.makeMeter(label: "daybook_stream_topics", dimensions: []).set(Int64(counts.topics))
      return Response(
        Array(metrics.text.utf8), type: "text/plain; version=0.0.4", headers: [.cacheControl: "no-store"])
    }
  }
}

#endif
