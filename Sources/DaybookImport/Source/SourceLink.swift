#if Import

/// One link of a relationship, between objects that exist.
package struct SourceLink: Hashable, Sendable {
  package let source: SourceKey
  package let target: SourceKey
  /// The order key among the targets of one source; `nil` in an unordered relationship, or if the source lacks the key.
  package let order: Int64?

  package init(source: SourceKey, target: SourceKey, order: Int64? = nil) {
    self.source = source
    self.target = target
    self.order = order
  }
}

#endif
