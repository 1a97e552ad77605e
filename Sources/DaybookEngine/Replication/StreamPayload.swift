import DaybookModel

/// Whole commits that are published together, with the large values that they are the first to refer to.
///
/// Large values travel in the payload of the commit that needs them: a node that takes the commit has their bytes.
package enum StreamPayload {
  /// The most bytes of a payload: commits and large values.
  package static let maximumSizeInBytes = 1 << 30

  /// Returns the bytes of a payload.
  ///
  /// - Throws: `StoreError` with the code `tooLarge`; the errors of reading large values.
  package static func bytes(of commits: [PendingCommit]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(UInt64(commits.count))
    for commit in commits {
      let stored = commit.bytes
      bytes.appendRun(stored.rawSpan)
      bytes.appendVarint(UInt64(commit.largeValues.count))
      for value in commit.largeValues {
        try check(bytes.count + value.size)
        let contents = try value.requireSource().bytes(of: value)
        bytes.appendRun(contents.rawSpan)
      }
      try check(bytes.count)
    }
    return bytes
  }

  private static func check(_ size: Int) throws {
    guard size > maximumSizeInBytes else { return }
    throw StoreError(
      .tooLarge,
      "The commits that are published together, with their large values, have more than \(maximumSizeInBytes) bytes.",
      advice: "Write them in several batches.")
  }

  /// Reads the commits of a payload, and compares each with its seal and its digest.
  ///
  /// - Throws: `MalformedBytes`, `CommitFault` or `StoreError` if the bytes are no sound payload.
  package static func commits(in bytes: [UInt8]) throws -> [PendingCommit] {
    var reader = ByteReader(bytes.rawSpan)
    var commits: [PendingCommit] = []
    let count = try reader.count()
    while commits.count < count { commits.append(try readCommit(&reader)) }
    guard reader.isAtEnd, !commits.isEmpty else {
      throw MalformedBytes(offset: reader.offset, expected: "the end of the payload")
    }
    return commits
  }

  private static func readCommit(_ reader: inout ByteReader) throws -> PendingCommit {
    let stored = try readRun(&reader)
    let count = try reader.count()
    var values: [LargeValue] = []
    while values.count < count {
      let bytes = try readRun(&reader)
      guard let value = LargeValue(bytes) else {
        throw MalformedBytes(offset: reader.offset, expected: "a large value")
      }
      values.append(value)
    }
    return try PendingCommit.checked(stored, largeValues: values)
  }

  private static func readRun(_ reader: inout ByteReader) throws -> [UInt8] {
    let run = try reader.run()
    return [UInt8](run)
  }
}
