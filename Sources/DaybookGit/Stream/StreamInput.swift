import Foundation

/// The lines and blocks of a byte source, with their places in it.
///
/// It holds one buffer. A line is a slice of that buffer and not a copy; a refill creates a new buffer, so that earlier
/// slices stay valid.
struct StreamInput {
  private var source: any ByteSource
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private let lineLimit: Int
  private static let readLength = 128 << 10

  /// The number of bytes before the buffer's first.
  private var bufferOffset = 0

  /// The number of newlines before `position`.
  private var newlineCount = 0

  /// The number of the current line, from 1; errors name this line.
  private(set) var lineNumber = 1
  private(set) var lineOffset = 0

  init(_ source: any ByteSource, lineLimit: Int) {
    self.source = source
    self.lineLimit = lineLimit
  }

  /// Returns the next line without its newline, or `nil` at the end.
  ///
  /// It becomes the current line.
  ///
  /// - Throws: `.truncated` if the bytes end before a newline, unless they are `unendedLine`.
  mutating func nextLine(acceptingUnended unendedLine: String? = nil) throws -> ArraySlice<UInt8>? {
    markPlace()
    guard let end = try endOfLine() else {
      let rest = buffer[position...]
      guard !rest.isEmpty else { return nil }
      guard let unendedLine, rest.elementsEqual(unendedLine.utf8) else {
        throw error(.truncated, "the stream stops inside a line; it was cut, write it again")
      }
      position = buffer.count
      return rest
    }
    defer {
      position = end + 1
      newlineCount += 1
    }
    return buffer[position..<end]
  }

  /// Returns the next byte without consuming it, or `nil` at the end.
  mutating func peekByte() throws -> UInt8? {
    while position == buffer.count {
      guard try refill() else { return nil }
    }
    return buffer[position]
  }

  /// Skips the next byte, which must be a newline that `peekByte` returned.
  mutating func skipNewline() {
    precondition(position < buffer.count && buffer[position] == UInt8(ascii: "\n"))
    position += 1
    newlineCount += 1
  }

  /// Consumes `count` bytes and passes them to a closure in pieces.
  ///
  /// - Throws: `.truncated` if the stream ends before them. The error's place is the current line.
  mutating func takeBytes(_ count: Int, _ body: (ArraySlice<UInt8>) -> Void) throws {
    var rest = count
    while rest > 0 {
      guard try peekByte() != nil else {
        throw error(.truncated, "the stream stops \(rest) bytes before the end of its data; it was cut, write it again")
      }
      let piece = buffer[position...].prefix(rest)
      for byte in piece where byte == UInt8(ascii: "\n") { newlineCount += 1 }
      body(piece)
      position += piece.count
      rest -= piece.count
    }
  }

  /// Creates an error at the current line.
  func error(_ kind: FastExportError.Kind, _ message: String) -> FastExportError {
    FastExportError(kind: kind, lineNumber: lineNumber, byteOffset: lineOffset, message: message)
  }

  /// Makes the line that starts here the current one.
  mutating func markPlace() {
    lineNumber = newlineCount + 1
    lineOffset = bufferOffset + position
  }

  /// Returns the index of the next newline, or `nil` if the stream ends before one.
  private mutating func endOfLine() throws -> Int? {
    var searched = 0
    while true {
      if let end = buffer[(position + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        try checkLineLength(end - position)
        return end
      }
      searched = buffer.count - position
      try checkLineLength(searched)
      guard try refill() else { return nil }
    }
  }

  private func checkLineLength(_ length: Int) throws {
    guard length <= lineLimit else {
      throw error(.limitExceeded, "a line is longer than \(lineLimit) bytes; this is not a stream of git fast-export")
    }
  }

  /// Reads more bytes after the unread ones.
  ///
  /// - Returns: `false` at the end of the source.
  private mutating func refill() throws -> Bool {
    guard !isAtEnd else { return false }
    let bytes = try source.read(upTo: Self.readLength)
    guard !bytes.isEmpty else {
      isAtEnd = true
      return false
    }
    bufferOffset += position
    buffer = position == buffer.count ? bytes : Array(buffer[position...]) + bytes
    position = 0
    return true
  }
}

/// The source of a stream's bytes: a file, a pipe, or memory.
package protocol ByteSource {
  /// Waits for the next bytes and returns them.
  ///
  /// - Parameter count: The maximum number of bytes, at least 1.
  /// - Returns: 1 to `count` bytes, or none at the end. It is not called again after the end.
  mutating func read(upTo count: Int) throws -> [UInt8]
}

/// The bytes of a file, a pipe or standard input.
///
///     var source = FileSource(.standardInput)
///
/// It does not close the handle. On a pipe a read waits until the buffer is full or the other side ends, which costs
/// nothing as the reader cannot use half a command.
package struct FileSource: ByteSource {
  private let handle: FileHandle

  package init(_ handle: FileHandle) {
    self.handle = handle
  }

  package func read(upTo count: Int) throws -> [UInt8] {
    try handle.read(upToCount: count).map { Array($0) } ?? []
  }
}

/// Bytes in memory.
package struct MemorySource: ByteSource {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  package mutating func read(upTo count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
