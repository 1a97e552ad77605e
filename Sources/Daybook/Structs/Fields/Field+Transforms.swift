import DaybookQuery

/// Transforms of keys, for grouped requests.
extension Field {
  private func transformed(_ transform: SectionKey.Transform) -> Field<String> {
    Field<String>(_fieldPath, transform.rawValue)
  }

  /// The day of a time in the request's time zone: `2026-01-02`.
  public var day: Field<String> { transformed(.day) }
  /// The ISO week of a time: `2026-W01`.
  public var week: Field<String> { transformed(.week) }
  /// The month of a time: `2026-01`.
  public var month: Field<String> { transformed(.month) }
  /// The year of a time: `2026`.
  public var year: Field<String> { transformed(.year) }
  /// The first letter of a string.
  public var initial: Field<String> { transformed(.initial) }
}
