import WorkLimits

/// Classifies changed rows as deletes, inserts, moves and updates, from their paths alone.
///
/// The lists are not needed, because all facts about unchanged rows that the rules use can be counted. Consider one
/// section that is in both results. Its *fixed* rows are the rows in the section in both results with unchanged sort
/// keys; the other rows of the section in a result are *loose* in that result: deleted, inserted, moved in or out, or
/// with changed keys. Every loose row is a changed row, so all of them are known.
///
/// - **The fixed rows before a row.** A row at index *i* has *i* rows before it. Of these, the loose ones are known, so
///   the fixed ones are *i* minus the loose rows with a smaller index.
/// - **The right gap.** The fixed rows are in the same order in both results, because their keys are the same. So the
///   fixed rows before a row are a prefix of one sequence in the old result and in the new one, and the two prefixes
///   are equal if they have the same length. A row with changed keys can stay only if they are: otherwise a fixed row
///   changed sides with it, and one of the two must move, which is the loose row.
/// - **The rising run.** Rows that stay must be in the same order in both results. Among the rows in their right gap,
///   two of different gaps are, because a fixed row is between them in both. For two of the same gap, the new indexes
///   decide. So rows in their right gap can all stay exactly if their new indexes rise in the order of their old ones,
///   over the whole section at once; the largest such set is a longest rising run.
/// - **That is enough.** If no fixed and no staying row changes sides with another, removing the rest and inserting
///   each row at its new place produces the new section.
///
/// Hence O(*k* log *k*) for *k* changed rows, whatever the lengths of the lists.
struct PlacementResolver {
  /// A row in one of the results.
  struct PlacedRow {
    /// The index of its placement.
    let row: Int
    /// Its path in the result.
    let path: RowPath
  }

  private let placements: [RowPlacement]
  /// The rows of the old result, by old path.
  let inOldOrder: [PlacedRow]
  /// The rows of the new result, by new path.
  let inNewOrder: [PlacedRow]
  /// For each placement, whether the row is in the same section in both results.
  private(set) var keepsSection: [Bool]
  /// For each placement, whether the row is neither removed nor inserted.
  private(set) var stays: [Bool]

  init(_ placements: [RowPlacement], old: SectionRanks, new: SectionRanks) throws {
    try PlacementResolver.check(placements)
    self.placements = placements
    inOldOrder = try PlacementResolver.order(placements, by: \.from)
    inNewOrder = try PlacementResolver.order(placements, by: \.to)
    keepsSection = placements.map { placement in
      guard let from = placement.from, let to = placement.to else { return false }
      guard let rank = old.survivingRank(of: from.section) else { return false }
      return rank == new.survivingRank(of: to.section)
    }
    stays = zip(placements, keepsSection).map { $1 && !$0.alteration.mayMove }
    try PlacementResolver.checkUnique(inOldOrder)
    try PlacementResolver.checkUnique(inNewOrder)
    try keepWhatCanStay()
  }

  /// Marks the rows with changed keys that need not move as staying.
  private mutating func keepWhatCanStay() throws {
    let before = fixedRowsBefore(inOldOrder)
    let after = fixedRowsBefore(inNewOrder)
    var section: Int?
    var candidates: [PlacedRow] = []
    for placed in inOldOrder {
      let row = placed.row
      guard keepsSection[row], let to = placements[row].to else { continue }
      if stays[row], before[row] != after[row] { throw PlacementFault.leftItsPlace(row: row) }
      guard placements[row].alteration.mayMove, before[row] == after[row] else { continue }
      if placed.path.section != section {
        try keepLongestRun(of: candidates)
        candidates.removeAll(keepingCapacity: true)
        section = placed.path.section
      }
      candidates.append(PlacedRow(row: row, path: to))
    }
    try keepLongestRun(of: candidates)
  }

  /// - Parameter candidates: Rows of one section that are in their right gaps, by old path, with their new paths.
  private mutating func keepLongestRun(of candidates: [PlacedRow]) throws {
    try WorkCounter.pass(candidates.count)
    for index in RisingRun.indexesOfLongest(in: candidates.map(\.path.row)) { stays[candidates[index].row] = true }
  }

  /// Returns for each row the number of fixed rows of its section before it in one result.
  ///
  /// - Parameter order: The rows in that result, by path.
  private func fixedRowsBefore(_ order: [PlacedRow]) -> [Int] {
    var result = Array(repeating: 0, count: placements.count)
    var section: Int?
    var looseRows = 0
    for placed in order {
      if placed.path.section != section {
        section = placed.path.section
        looseRows = 0
      }
      result[placed.row] = placed.path.row - looseRows
      if !stays[placed.row] { looseRows += 1 }
    }
    return result
  }
}

extension PlacementResolver {
  private static func order(_ placements: [RowPlacement], by path: (RowPlacement) -> RowPath?) throws -> [PlacedRow] {
    let placed = placements.enumerated().compactMap { row, placement in
      path(placement).map { PlacedRow(row: row, path: $0) }
    }
    var work = WorkCounter()
    return try placed.sorted {
      try work.step()
      return $0.path < $1.path
    }
  }

  private static func check(_ placements: [RowPlacement]) throws(PlacementFault) {
    for (row, placement) in placements.enumerated() {
      if placement.from == nil, placement.to == nil { throw .nowhere(row: row) }
      for path in [placement.from, placement.to] {
        if let path, path.section < 0 || path.row < 0 { throw .negativePath(row: row) }
      }
    }
  }

  private static func checkUnique(_ order: [PlacedRow]) throws(PlacementFault) {
    for (a, b) in zip(order, order.dropFirst()) where a.path == b.path {
      throw .samePath(row: a.row, and: b.row)
    }
  }
}
