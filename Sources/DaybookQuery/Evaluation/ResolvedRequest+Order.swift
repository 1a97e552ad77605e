import DaybookModel

extension ResolvedRequest {
  /// The values that a row is sorted by, in the order of ``terms``; the section value first.
  package func sortValues(of object: ObjectKey, in source: inout some ObjectSource) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(routes.count)
    for route in routes { values.append(try route.value(of: object, in: &source)) }
    if let section { values[0] = section.value(of: values[0]) }
    return values
  }

  /// The name of the section of a row with these sort values; "" if there are no sections.
  package func sectionName(of sortValues: [Value]) -> String {
    section?.name(of: sortValues[0]) ?? ""
  }

  /// Whether two rows with these sort values are in one section.
  package func areInOneSection(_ a: [Value], _ b: [Value]) -> Bool {
    section == nil || a[0] == b[0]
  }

  /// The values behind ``stateRoutes``, one list for each. A row's state is these and its sort values: if all are equal,
  /// the row has not changed.
  package func stateValues(of object: ObjectKey, in source: inout some ObjectSource) throws -> [[Value]] {
    try stateRoutes.map { try $0.values(of: object, in: &source) }
  }

  /// Whether a row comes before another one.
  package func areInIncreasingOrder(_ a: [Value], _ aID: ObjectID, _ b: [Value], _ bID: ObjectID) -> Bool {
    let order = compare(a, b)
    return order != 0 ? order < 0 : aID < bID
  }

  /// Compares the sort values of two rows; below, equal to or above zero. Rows that tie are in the order of their ids.
  package func compare(_ a: [Value], _ b: [Value]) -> Int {
    compare(a, b, termCount: terms.count)
  }

  /// Compares by the first terms only.
  func compare(_ a: [Value], _ b: [Value], termCount: Int) -> Int {
    for index in 0..<termCount {
      let order = compare(a[index], b[index], term: index)
      if order != 0 { return terms[index].isDescending ? -order : order }
    }
    return 0
  }

  private func compare(_ a: Value, _ b: Value, term index: Int) -> Int {
    if index == 0, let section, section.hasExplicitOrder {
      let difference = section.place(of: a) - section.place(of: b)
      if difference != 0 { return difference }
    }
    return ValueOrder.compare(a, b, order: terms[index].order)
  }

  /// Appends bytes that sort as rows with these sort values do, before their ids; never cut.
  ///
  /// - Returns: The size of the section's part, which comes first; 0 without sections.
  @discardableResult
  package func appendSortKey(of sortValues: [Value], to key: inout [UInt8]) -> Int {
    let start = key.count
    var sectionSize = 0
    for (index, term) in terms.enumerated() {
      if index == 0, section != nil {
        appendSectionKey(of: sortValues[0], to: &key)
        sectionSize = key.count - start
      } else {
        SortKey.append(sortValues[index], order: term.order, isDescending: term.isDescending, to: &key)
      }
    }
    return sectionSize
  }

  /// Appends the section's part of a row's key.
  ///
  /// - Precondition: The request has sections.
  package func appendSectionKey(of sectionValue: Value, to key: inout [UInt8]) {
    let term = terms[0]
    if let section, section.hasExplicitOrder {
      let place = Value.integer(Int64(section.place(of: sectionValue)))
      SortKey.append(place, isDescending: term.isDescending, to: &key)
    }
    SortKey.append(sectionValue, order: term.order, isDescending: term.isDescending, to: &key)
  }
}
