import Daybook

extension Store {
  /// Does something, and compares what it changed about a request's result with what is expected.
  ///
  ///     let byName = Recipe.all.sorted(by: \.name)
  ///     try store.expectDifference(
  ///       of: byName, rows: [.move(cake, from: RowPath(section: 0, row: 2), to: RowPath(section: 0, row: 0))]
  ///     ) {
  ///       try store.write { try $0.rename(cake, to: "Apple pie") }
  ///     }
  ///
  /// Changes may be given in any order. That the difference leads from the result before to the one after is checked too.
  ///
  /// - Parameters:
  ///   - request: What is asked for before and after.
  ///   - sections: The sections that come and go.
  ///   - rows: What happens to the rows.
  ///   - body: What makes the difference; one commit or several.
  /// - Returns: What `body` returned.
  /// - Throws: ``Mismatch`` that shows both differences; what `body` throws; `StoreError`.
  @discardableResult
  public func expectDifference<Object, Result>(
    of request: EntityRequest<Object>, sections: [SectionChange] = [], rows: [RowChange<EntityID<Object>>] = [],
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

  /// Does something, and compares what it changed about a request's result with what is expected.
  @discardableResult
  public func expectDifference<Result>(
    of request: FetchRequest, sections: [SectionChange] = [], rows: [RowChange<ObjectID>] = [],
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
