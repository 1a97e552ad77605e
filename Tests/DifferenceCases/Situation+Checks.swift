import DaybookDiff

extension Situation {
  /// Checks all guarantees of the difference between the two results.
  package func checkEverything() throws {
    do {
      let difference = try built()
      try checkEqual(difference, reference().difference, "difference")
      try checkEqual(try compared(), difference, "difference of the lists")
      try checkLeads(difference)
      try reversed.checkLeads(difference.inverted)
      try checkEqual(difference.inverted.inverted, difference, "inverse of the inverse")
    } catch {
      throw CheckFailure("\(self): \(error)")
    }
  }

  /// Checks that a difference leads to the new result in every form, with the fewest moves.
  package func checkLeads(_ difference: Difference<ID>) throws {
    try classify(difference)
    try checkEqual(try batchApply(difference), new, "applied in steps")
    try checkEqual(try oldList.applying(difference), newList, "applied")
    try difference.checkInvariants(old: oldList, new: newList)
    try checkEqual(difference.isEmpty, difference.sections.isEmpty && difference.rows.isEmpty, "isEmpty")
    let plan = difference.viewPlan
    try checkEqual(plan.sections, difference.sections, "sections of the view plan")
    try checkEqual(plan.rows, referencePlan(difference), "view plan")
    try checkEqual(try planApply(plan), new, "view plan applied")
    if isUnsectioned { try checkCollectionDifference(difference) }
  }

  private var isUnsectioned: Bool { old.map(\.name) == [""] && new.map(\.name) == [""] }

  private func checkCollectionDifference(_ difference: Difference<ID>) throws {
    guard let changes = difference.collectionDifference else { throw CheckFailure("there is no collection difference") }
    try checkEqual(old[0].ids.applying(changes), new[0].ids, "collection difference applied")
    try check(changes == changes.inferringMoves(), "moves are not associated in \(changes)")
  }
}
