import Daybook
import DaybookModel

/// The large values of an import that no commit has taken yet.
struct LargeValueInput {
  /// The pieces of a value so far.
  private var partial: (value: LargeValue, bytes: [UInt8])?
  private var values: [Digest: LargeValue] = [:]
  private var sizeInBytes = 0

  /// The most bytes that may wait for the next commit.
  static let maximumSizeInBytes = LargeValueStage.maximumSizeInBytes

  /// Adds a piece.
  ///
  /// - Throws: `CommitRefusal` if it does not continue the value before it, the bytes do not give the digest, or too many
  ///   bytes wait for a commit.
  mutating func take(_ line: LargeValueLine) throws {
    var bytes: [UInt8] = []
    if line.chunk > 0 {
      guard let known = partial, known.value == line.value,
        known.bytes.count == line.chunk * LargeValue.chunkSizeInBytes
      else {
        throw CommitRefusal(.damaged, "the piece \(line.chunk) of a large value does not follow the one before it")
      }
      partial = nil
      bytes = known.bytes
    } else {
      try checkComplete()
    }
    bytes += line.bytes
    guard bytes.count == line.value.size else {
      partial = (line.value, bytes)
      return
    }
    guard let value = LargeValue(bytes), value == line.value else {
      throw CommitRefusal(
        .damaged, "the bytes of the value \(line.value.sha256) have another digest",
        advice: "The line was changed since it was exported; export again.")
    }
    if values.updateValue(value, forKey: value.sha256) == nil { sizeInBytes += value.size }
    guard sizeInBytes <= LargeValueInput.maximumSizeInBytes else {
      throw CommitRefusal(
        .tooLarge, "more than \(LargeValueInput.maximumSizeInBytes) bytes of large values precede a commit")
    }
  }

  /// - Throws: `CommitRefusal` if a value lacks pieces.
  func checkComplete() throws {
    guard let partial else { return }
    throw CommitRefusal(.damaged, "the value \(partial.value.sha256) before it lacks pieces")
  }

  /// Removes all values, and returns the ones that a commit refers to.
  mutating func takeValues(of commit: PendingCommit) throws -> [LargeValue] {
    defer { (values, sizeInBytes) = ([:], 0) }
    if values.isEmpty { return [] }
    var used: [Digest: LargeValue] = [:]
    try commit.events.forEachLargeValue { value in
      if let known = values[value.sha256], known == value { used[value.sha256] = known }
    }
    return used.values.sorted { $0.sha256.bytes.lexicographicallyPrecedes($1.sha256.bytes) }
  }
}
