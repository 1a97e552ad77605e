import DaybookMacros

@Entity struct Event {
  @Index var timeStamp: Timestamp
  @Name var title: String
}

extension Event {
  init(_ time: String, _ title: String) { self.init(timeStamp: .at(time), title: title) }
}

extension Timestamp {
  /// A time of these days; the beginning of time if the text is none.
  static func at(_ text: String) -> Timestamp { Timestamp("2026-03-\(text)") ?? Timestamp(microseconds: 0) }
}
