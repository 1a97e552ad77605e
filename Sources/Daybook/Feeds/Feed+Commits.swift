import DaybookModel

extension Feed where Element == Commit {
  /// A feed of a store's commits.
  init(of store: Store, from first: Position) {
    self = Feed<CopiedCommit> { CommitSource(store, from: first) }.converted { try $0.decoded(of: nil) }
  }

  /// A feed of the same commits as stored in the journal, for copying them elsewhere.
  public var raw: Feed<RawCommit> {
    let makeSource = makeSource
    return Feed<RawCommit> {
      guard let decoded = makeSource() as? ConvertedSource<CopiedCommit, Commit> else {
        preconditionFailure("Each feed of commits decodes the copies of a journal.")
      }
      return ConvertedSource(base: decoded.base, convert: RawCommit.init)
    }
  }
}
