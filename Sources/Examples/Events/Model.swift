import DaybookMacros

@Entity struct Event {
  @Index var timeStamp: Timestamp
  @Name var title: String
}

extension Event {
  init(_ time: String, _ title: String) { self.init(timeStamp: .at(time), title: title) }
}

extension Timestamp {
  /// Returns a time in March 2026, or the beginning of 1970 for an invalid text.
  static func at(_ text: String) -> Timestamp { Timestamp("2026-03-\(text)") ?? Timestamp(microseconds: 0) }
}
