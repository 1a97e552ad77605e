extension CommitHeader {
  /// Reads the number of events from the start of a commit's bytes.
  ///
  /// It reads no field of variable length, so it is cheap and a first chunk suffices.
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

  /// The offset after version, flags, position, two digests and the recorded time.
  private static let eventCountOffset = 1 + 1 + 8 + 2 * Digest.byteCount + 8
}
