import DaybookEngine

extension LMDBJournal {
  /// Returns the marker of the trusted projections, or `nil` if it is missing or damaged.
  ///
  /// Without a marker, the projections are rebuilt.
  func trustMarker() -> TrustMarker? {
    guard let bytes = try? meta(TrustMarker.key) else { return nil }
    return TrustMarker(bytes)
  }
}
