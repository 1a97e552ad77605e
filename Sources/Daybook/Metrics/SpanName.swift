/// The names of the spans in which a store's long operations run (swift-distributed-tracing).
enum SpanName {
  /// One commit, from the wait for the write lock to the flush.
  static let write = "daybook.write"
  /// Many commits with one flush.
  static let batch = "daybook.batch"
  static let rebuild = "daybook.rebuild"
  static let verify = "daybook.verify"
  static let copy = "daybook.copy"
}
