#if Command

import Foundation

/// Output that was printed but not yet written.
struct OutputBuffer: Sendable {
  let descriptor: Int32
  var bytes: [UInt8] = []
  /// Output flushed while waiting was not allowed and the reader did not read.
  private var spool: OutputSpool?
  /// The time left to wait for the reader, in milliseconds, or `nil` if waiting is not limited.
  private var patience: Int32?
  /// Whether any output was written since waiting is limited.
  private var hasWritten = false

  private static let size = 64 << 10
  private static let heldPatience: Int32 = 100
  /// The number of bytes that a pipe with room accepts at once.
  private static let pipeSize = 4_096

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  mutating func flushIfLarge() throws {
    if bytes.count >= OutputBuffer.size { try flush() }
  }

  mutating func flush() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    if patience != nil { return try flushWithoutWaiting() }
    if let spool {
      self.spool = nil
      try spool.forEachPiece { try OutputBuffer.write($0, to: descriptor) }
    }
    try bytes.withUnsafeBytes { try OutputBuffer.write($0, to: descriptor) }
  }

  /// Writes the output so far, and then limits the time to wait for the reader of the output.
  mutating func beginHolding() throws {
    try flush()
    patience = OutputBuffer.heldPatience
    hasWritten = false
  }

  /// Discards the output since waiting is limited.
  ///
  /// - Returns: Whether that was possible: nothing of it was written.
  mutating func discardHeld() -> Bool {
    guard !hasWritten else { return false }
    bytes.removeAll(keepingCapacity: true)
    spool = nil
    return true
  }

  mutating func endHolding() {
    patience = nil
  }

  private mutating func flushWithoutWaiting() throws {
    var done = 0
    while spool == nil, done < bytes.count, hasRoom() {
      let end = min(bytes.count, done + OutputBuffer.pipeSize)
      hasWritten = true
      try bytes[done..<end].withUnsafeBytes { try OutputBuffer.write($0, to: descriptor) }
      done = end
    }
    guard done < bytes.count else { return }
    let spool = try self.spool ?? OutputSpool()
    self.spool = spool
    try spool.append(bytes[done...])
  }

  /// Returns whether a few bytes can be written at once; may wait for the time left.
  ///
  /// A stopped terminal may accept fewer bytes than requested.
  private mutating func hasRoom() -> Bool {
    guard isatty(descriptor) == 0 else { return false }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if poll(&request, 1, 0) > 0 { return true }
    guard let limit = patience, limit > 0 else { return false }
    let start = ContinuousClock.now
    let isReady = poll(&request, 1, limit) > 0
    let elapsed = (ContinuousClock.now - start) / .milliseconds(1)
    patience = max(0, limit - Int32(elapsed.rounded(.up)))
    return isReady
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw BrokenPipe()
      } else if errno != EINTR {
        var failure = FileFailure("Cannot write to standard output")
        failure.isOfOutput = true
        throw failure
      }
    }
  }
}

#endif
