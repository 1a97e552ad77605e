import Daybook

extension Console {
  /// Prints a copy's head and size, which can be recorded for `verify --expect`.
  func print(_ copy: StoreCopy, json: Bool) throws {
    for warning in copy.warnings { printError("warning: the journal is whole, but \(warning)") }
    guard json else {
      return try print("head \(copy.head):\(copy.hash), journal \(copy.journalSizeInBytes) bytes")
    }
    try print(
      .object([
        ("head", copy.head.json), ("hash", .string(copy.hash.description)),
        ("bytes", .integer(Int64(copy.journalSizeInBytes))),
        ("warnings", .array(copy.warnings.map { .string($0.description) })),
      ]))
  }
}
