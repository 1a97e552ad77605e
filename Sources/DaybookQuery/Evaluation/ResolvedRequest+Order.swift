import DaybookModel

extension ResolvedRequest {
  /// Returns the sort values of a row in the order of ``terms``.
  ///
  /// The section value is the first.
  package func sortValues(of object: ObjectKey, in source: inout some ObjectSource) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(terms.count)
    for term in terms { values.append(try term.path.value(of: object, in: &source)) }
    if let section { values[0] = section.value(of: values[0]) }
    return values
  }

  /// Returns the section name of a row with these sort values; "" without sections.
  package func sectionName(of sortValues: [Value]) -> String {
    section?.name(of: sortValues[0]) ?? ""
  }

  /// Returns whether a row precedes another one.
  package func areInIncreasingOrder(_ a: [Value], _ aID: ObjectID, _ b: [Value], _ bID: ObjectID) -> Bool {
    let order = compare(a, b)
    return order != 0 ? order < 0 : aID < bID
  }

  /// Compares the sort values of two rows; returns a number below, equal to or above zero.
  ///
  /// Rows that tie are in the order of their ids.
  package func compare(_ a: [Value], _ b: [Value]) -> Int {
    compare(a, b, termCount: terms.count)
  }

  /// Compares the sort values of the first terms only.
  func compare(_ a: [Value], _ b: [Value], termCount: Int) -> Int {
    for index in 0..<termCount {
      let order = compare(a[index], b[index], term: index)
      if order != 0 { return terms[index].isDescending ? -order : order }
    }
    return 0
  }

  private func compare(_ a: Value, _ b: Value, term index: Int) -> Int {
    if index == 0, let section, section.hasExplicitOrder || section.movesOthers {
      let difference = section.comparePlaces(of: a, b)
      if difference != 0 { return difference }
    }
    if terms[index].movesNull, a.isNull != b.isNull { return a.isNull ? 1 : -1 }
    return ValueOrder.compare(a, b, order: terms[index].order)
  }
}
