import DaybookModel

/// Cuts the bytes of a stream into lines, whatever pieces they come in.
struct LineSplitter {
  private var read: () throws -> [UInt8]?
  private var chunk: [UInt8] = []
  private var offset = 0
  private var isAtEnd = false
  /// The number of the line that was given last, from 1.
  private(set) var lineNumber = 0

  private let maximumLineSize: Int

  /// The longest line that is accepted, in bytes: the largest commit, twice. That is room for its bytes in base64 or its
  /// text with a backslash before each character, and for names.
  static let maximumLineSize = 2 * CommitLimits.maximumSizeInBytes

  /// - Parameters:
  ///   - maximumLineSize: The longest line, in bytes; of a longer one no more than this and a piece is read.
  ///   - read: Returns the next bytes, at least one; nil at the end.
  init(maximumLineSize: Int = LineSplitter.maximumLineSize, _ read: @escaping () throws -> [UInt8]?) {
    self.maximumLineSize = maximumLineSize
    self.read = read
  }

  /// The next line that is not blank, without its end; nil when there are no more.
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
