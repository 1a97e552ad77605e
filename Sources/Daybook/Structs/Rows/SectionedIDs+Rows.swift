import DaybookDiff

extension SectionedIDs {
  /// Returns the sections with transformed row ids.
  func mapped<Other: Hashable & Sendable>(_ transform: (ID) -> Other) -> SectionedIDs<Other> {
    if let same = self as? SectionedIDs<Other> { return same }
    return SectionedIDs<Other>(
      sections: sections.map { ListSection(name: $0.name, rows: $0.rows.map(transform)) })
  }
}
