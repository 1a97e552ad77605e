#if Server

/// What the metrics of a server mean, in one line each.
enum MetricHelp {
  private static let texts = [
    "daybook_commits_total": "Commits that this process made.",
    "daybook_events_total": "Events in the commits that this process made.",
    "daybook_flush_seconds": "Time to make the journal durable, for each session of one or more commits.",
    "daybook_fold_seconds": "Time to write the rows of the projections, for each session of one or more commits.",
    "daybook_feed_lag_seconds": "Time from the signal of news to the element that a feed delivered.",
    "daybook_readers": "Read transactions that are open, of all processes.",
    "daybook_oldest_reader_seconds": "Age of the oldest read transaction, from the first check that saw it.",
    "daybook_map_used_bytes": "Size of an environment up to its last page in use.",
    "daybook_map_size_bytes": "Size of an environment's memory map.",
    "daybook_file_bytes": "Size of the store's files.",
    "daybook_projection_lag_commits": "Commits that a projection of users has not applied.",
    "daybook_streams": "Event streams that are open.",
    "daybook_stream_topics": "Different subjects that open streams follow.",
    "hb_requests_total": "Requests that were answered.",
    "hb_request_errors_total": "Requests that were answered with a status from 400, which is the type.",
    "http_server_active_requests": "Requests that are being answered.",
    "http_server_request_duration_seconds": "Time from a request to the end of its answer.",
  ]

  /// Returns the line for a metric; for one that this server does not make, its name.
  static func text(of name: String) -> String { texts[name] ?? "The metric \(name) of the program." }
}

#endif
