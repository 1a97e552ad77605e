import Daybook
import DaybookModel

/// Splits a stream of bytes into lines, independent of the pieces in which it is read.
struct LineSplitter {
  private var read: () throws -> [UInt8]?
  private var chunk: [UInt8] = []
  private var offset = 0
  private var isAtEnd = false
  /// The number of the last returned line, from 1.
  private(set) var lineNumber = 0

  private let maximumLineSize: Int

  /// The longest accepted line, in bytes: twice the largest commit.
  ///
  /// That is enough for its bytes in base64, or its text with a backslash before each character, and for names.
  static let maximumLineSize = 2 * CommitLimits.maximumSizeInBytes

  /// - Parameters:
  ///   - maximumLineSize: The longest line, in bytes; at most this and one piece is read of a longer line.
  ///   - read: Returns the next bytes, at least one, or `nil` at the end.
  init(maximumLineSize: Int = LineSplitter.maximumLineSize, _ read: @escaping () throws -> [UInt8]?) {
    self.maximumLineSize = maximumLineSize
    self.read = read
  }

  /// Returns the next line that is not blank, without its end, or `nil` at the end.
  mutating func next() throws -> [UInt8]? {
    while let line = try nextAny() {
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return line }
    }
    return nil
  }

  private mutating func nextAny() throws -> [UInt8]? {
    var line: [UInt8] = []
    var hasBytes = false
    while true {
      if let end = chunk[offset...].firstIndex(of: UInt8(ascii: "\n")) {
        line += chunk[offset..<end]
        offset = end + 1
        lineNumber += 1
        return line
      }
      line += chunk[offset...]
      hasBytes = hasBytes || offset < chunk.count
      guard line.count <= maximumLineSize else {
        throw StoreError(
          .tooLarge, "Line \(lineNumber + 1) has more than \(maximumLineSize) bytes.",
          advice: "Check that the input is an export, with a commit on each line.")
      }
      guard !isAtEnd, let next = try read() else {
        isAtEnd = true
        (chunk, offset) = ([], 0)
        guard hasBytes else { return nil }
        lineNumber += 1
        return line
      }
      (chunk, offset) = (next, 0)
    }
  }
}
