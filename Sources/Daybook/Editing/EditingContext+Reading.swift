import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension EditingContext: ObjectReader {
  /// Calls a closure with a reader of the objects with their pending edits, at the position of the context.
  ///
  /// The objects of a projection are the ones at its checkpoint, without the edits.
  ///
  /// - Throws: Any error of `body`; `StoreError`: `expired` if too much has changed in the store since ``position``,
  ///   `closed`, `damaged`.
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try locked {
      let position = root.base.position
      return try withTipAndHead { tip, head in try body(StoreReader(tip, of: self, at: position, over: head)) }
    }
  }
}

extension EditingContext {
  /// The time of the store's clock.
  private var now: Timestamp {
    switch ground {
    case .context(let context): context.now
    case .store(let store): store.options.clock()
    }
  }

  /// Returns a request as it is read now.
  func timed(_ request: FetchRequest) -> FetchRequest { request.mayReadTime ? request.at(now) : request }

  /// Calls a closure with a reader of the context's state.
  func withTip<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    try withTipAndHead { tip, _ in try body(tip) }
  }

  /// Calls a closure with a reader of the context's state, and the one of the store below it.
  private func withTipAndHead<Result>(
    _ body: (_ tip: Reader, _ head: borrowing StoreReader) throws -> Result
  ) throws -> Result {
    switch ground {
    case .context(let context): return try context.withTipAndHead { try body($0.adding(pending), $1) }
    case .store(let store):
      return try store.read { reader in
        try base.extend(to: reader, limitInBytes: store.options.viewOfPastLimitInBytes)
        let below = base.reader(over: reader.reader).reading(largeValues: largeValues)
        return try body(below.adding(pending), reader)
      }
    }
  }

  /// Returns the large value with a digest that an edit has set or that the store has, or `nil` if neither has it.
  ///
  /// The bytes of a pending value stay readable through the returned reference when the edits are cancelled.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  /// - Complexity: O(log *n*)
  package func largeValue(_ sha256: Digest) throws -> LargeValue? {
    try largeValues.pending(sha256) ?? store.largeValue(sha256)
  }

  /// Makes a live result of a request that includes the pending edits.
  ///
  /// The objects of a projection have no edits: their live result is the one of the store.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `expired`, `closed`.
  /// - Complexity: O(*n* log *n*) for *n* rows.
  public func liveResults<Row: ResultRow>(of request: Request<Row>) throws -> LiveResults<Row> {
    if try store.keeper.readDerived(of: request.fetch.entity, { _ in true }) != nil {
      return try store.liveResults(of: request)
    }
    let results = try locked { try withTip { try ContextResults(request.fetch, of: self, over: $0) } }
    return LiveResults(results, of: request)
  }
}

/// A context in its present state, from which rows read related objects.
extension EditingContext: RowOrigin, RowOrigins {
  func origin(at position: Position) -> any RowOrigin { self }

  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    try read { reader in try ids.compactMap { try reader.get($0) } }
  }

  func groups(of request: FetchRequest) throws -> [StoredObject] { try read { try $0.fetch(request).rows } }
}
