import Daybook

extension Store {
  /// Writes the initial state.
  ///
  /// - Parameter body: The operations of a first commit; its result is passed to the later parts.
  /// - Throws: The errors of a write.
  public func given<Known>(_ body: (borrowing Transaction) throws -> Known) throws -> Scenario<Known> {
    Scenario(store: self, known: try write(body))
  }

  /// Runs a closure, and compares the change of a request's result with the expected one.
  ///
  ///     let byName = Recipe.all.sorted(by: \.name)
  ///     try store.expectDifference(
  ///       of: byName, rows: [.move(cake, from: RowPath(section: 0, row: 2), to: RowPath(section: 0, row: 0))]
  ///     ) {
  ///       try store.write { try $0.rename(cake, to: "Apple pie") }
  ///     }
  ///
  /// The changes may be passed in any order. The method also checks that the difference leads from the result before to
  /// the result after.
  ///
  /// - Parameters:
  ///   - request: The request whose results are compared.
  ///   - sections: The sections deleted and inserted.
  ///   - rows: The changes of the rows.
  ///   - body: The closure that makes the difference, in one commit or several.
  /// - Returns: The result of `body`.
  /// - Throws: ``Mismatch`` with both differences; the errors of `body`; `StoreError`.
  @discardableResult
  public func expectDifference<Object, Result>(
    of request: Request<Record<Object>>, sections: [SectionChange] = [], rows: [RowChange<EntityID<Object>>] = [],
    _ body: () throws -> Result
  ) throws -> Result {
    let before = try fetch(request)
    let result = try body()
    let after = try fetch(request)
    let change = try difference(of: request, from: before.position, to: after.position)
    try DifferenceExpectation.check(
      change.difference, Difference(sections: sections, rows: rows), leadsFrom: before.ids, to: after.ids)
    return result
  }

  /// Runs a closure, and compares the change of a request's result with the expected one.
  @discardableResult
  public func expectDifference<Result>(
    of request: Request<StoredObject>, sections: [SectionChange] = [], rows: [RowChange<ObjectID>] = [],
    _ body: () throws -> Result
  ) throws -> Result {
    let before = try fetch(request)
    let result = try body()
    let after = try fetch(request)
    let change = try read { try $0.difference(of: request, from: before.position, to: after.position) }
    try DifferenceExpectation.check(
      change.difference, Difference(sections: sections, rows: rows), leadsFrom: before.ids, to: after.ids)
    return result
  }
}

private enum DifferenceExpectation {
  static func check<ID>(
    _ found: Difference<ID>, _ expected: Difference<ID>, leadsFrom before: SectionedIDs<ID>, to after: SectionedIDs<ID>
  ) throws {
    guard found == expected else {
      throw Mismatch("The difference is not the expected one.\nexpected: \(expected)\nfound:    \(found)")
    }
    let reached = try before.applying(found)
    guard reached == after else {
      throw Mismatch("The difference leads to another result.\nresult:   \(after)\nreached:  \(reached)")
    }
  }
}
