import DaybookModel

extension ByteReader {
  /// Reads a number of objects or values, which can grow by as many as any store has.
  mutating func smallCount() throws(MalformedBytes) -> Int {
    let count = try count()
    guard count < 1 << 62 else { throw MalformedBytes(offset: offset, expected: "a count") }
    return count
  }

  /// Reads the same of what exists, which is at least 1.
  mutating func positiveCount() throws(MalformedBytes) -> Int {
    let count = try smallCount()
    guard count > 0 else { throw MalformedBytes(offset: offset, expected: "a count above 0") }
    return count
  }
}
