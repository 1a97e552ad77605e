import Foundation

/// What was printed and not yet written.
struct OutputBuffer: Sendable {
  let descriptor: Int32
  var bytes: [UInt8] = []
  /// What was flushed while the reader of the output was not to be waited for, and did not read.
  private var spool: OutputSpool?
  /// How long the reader may still be waited for, in milliseconds; nil while that does not matter.
  private var patience: Int32?

  private static let size = 64 << 10
  private static let heldPatience: Int32 = 100
  /// A pipe that says it has room takes so many bytes at once.
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

  /// Begins a time in which the reader of the output is not waited for.
  mutating func beginHolding() {
    patience = OutputBuffer.heldPatience
  }

  mutating func endHolding() {
    patience = nil
  }

  private mutating func flushWithoutWaiting() throws {
    var done = 0
    while spool == nil, done < bytes.count, hasRoom() {
      let end = min(bytes.count, done + OutputBuffer.pipeSize)
      try bytes[done..<end].withUnsafeBytes { try OutputBuffer.write($0, to: descriptor) }
      done = end
    }
    guard done < bytes.count else { return }
    let spool = try self.spool ?? OutputSpool()
    self.spool = spool
    try spool.append(bytes[done...])
  }

  /// Whether a few bytes can be written at once; waits for that while there is patience left.
  ///
  /// A terminal that is stopped may have room for less than it is asked for.
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
        throw FileFailure("Cannot write to standard output")
      }
    }
  }
}
