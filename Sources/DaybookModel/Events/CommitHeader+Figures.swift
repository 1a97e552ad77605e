extension CommitHeader {
  /// The number of events by the front of a commit's bytes; what has no fixed place is not looked at, so it costs
  /// little and a first chunk is enough.
  package static func eventCount(_ bytes: RawSpan) throws(CommitFault) -> Int {
    var reader = ByteReader(bytes)
    do {
      let version = try reader.byte()
      if version > formatVersion { throw CommitFault.newerFormat(version) }
      _ = try reader.take(eventCountOffset - 1)
      return try reader.count()
    } catch let fault as MalformedBytes {
      throw .malformed(fault)
    } catch let fault as CommitFault {
      throw fault
    } catch {
      preconditionFailure("Only the two errors above are thrown: \(error)")
    }
  }

  /// Behind version, flags, position, two digests and the recorded time.
  private static let eventCountOffset = 1 + 1 + 8 + 2 * Digest.byteCount + 8
}
