/// The author or committer of a change, with the time.
///
/// It is the rest of an `author` or `committer` line.
///
/// Old repositories contain lines that git no longer writes: no name, no email, `<>`, a time that is not a number. Git
/// still shows them, so nothing here is an error; a missing part is empty, or 0.
package struct GitSignature: Hashable, Sendable {
  /// The name, with U+FFFD for bytes that are not UTF-8; empty if absent.
  package var name: String

  /// The email, with U+FFFD for bytes that are not UTF-8; empty if absent.
  package var email: String

  /// Seconds since 1970; negative before it. A time that git cannot read is 0, as in `git log`.
  package var seconds: Int64

  /// Minutes east of Greenwich; `+0530` is 330.
  package var zoneOffsetInMinutes: Int

  package init(name: String, email: String, seconds: Int64, zoneOffsetInMinutes: Int) {
    self.name = name
    self.email = email
    self.seconds = seconds
    self.zoneOffsetInMinutes = zoneOffsetInMinutes
  }

  /// Reads `Name <email> seconds zone`.
  ///
  /// As in git, the email is the text between the first `<` and the next `>`, and the time follows the last `>`.
  init(parsing line: ArraySlice<UInt8>) {
    let opening = line.firstIndex(of: UInt8(ascii: "<")) ?? line.endIndex
    let afterOpening = line[opening...].dropFirst()
    let closing = afterOpening.firstIndex(of: UInt8(ascii: ">")) ?? line.endIndex
    let lastClosing = line.lastIndex(of: UInt8(ascii: ">")) ?? line.endIndex
    let fields = line[lastClosing...].dropFirst().split(separator: UInt8(ascii: " "))
    self.init(
      name: Self.text(line[..<opening]),
      email: Self.text(afterOpening[..<max(closing, afterOpening.startIndex)]),
      seconds: fields.first.flatMap(Self.integer) ?? 0,
      zoneOffsetInMinutes: fields.dropFirst().first.flatMap(Self.zoneOffset) ?? 0)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func integer(_ digits: ArraySlice<UInt8>) -> Int64? {
    Int64(String(decoding: digits, as: UTF8.self))
  }

  /// Reads `+hhmm` or `-hhmm`.
  ///
  /// Longer digits from old tools and invalid text count as no offset.
  private static func zoneOffset(_ digits: ArraySlice<UInt8>) -> Int? {
    guard let value = integer(digits), value.magnitude < 100_00 else { return nil }
    return Int(value / 100 * 60 + value % 100)
  }
}
