/// The names of the spans in which a store's long operations run (swift-distributed-tracing).
package enum SpanName {
  /// One commit, from the wait for the write lock to the flush.
  package static let write = "daybook.write"
  /// Many commits with one flush.
  package static let batch = "daybook.batch"
  package static let rebuild = "daybook.rebuild"
  package static let verify = "daybook.verify"
  package static let copy = "daybook.copy"
}
