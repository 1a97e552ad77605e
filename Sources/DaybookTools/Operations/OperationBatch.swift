import Daybook
import DaybookModel

/// Lines that are written as one commit.
struct OperationBatch {
  var operations: [(line: Int, operation: Operation)]
  var info: CommitInfo
  /// The numbers of the first and the last line; `nil` for operations that are no part of a text.
  var lines: ClosedRange<Int>?

  /// Returns an error of the commit, with the numbers of the lines concerned.
  func blaming(_ error: any Error, line: Int? = nil) -> any Error {
    OperationBatch.blame(error, lines.map { lines in line.map { $0...$0 } ?? lines })
  }

  static func blame(_ error: any Error, _ lines: ClosedRange<Int>?) -> any Error {
    guard let lines, let error = StoreError.translating(error) as? StoreError else { return error }
    let place = lines.count == 1 ? "Line \(lines.lowerBound)" : "Lines \(lines.lowerBound) to \(lines.upperBound)"
    return StoreError(error.code, "\(place): \(error.message)", advice: error.remedy, conflict: error.conflict)
  }
}

/// Groups lines into commits.
struct OperationBatcher<Source: OperationSource> {
  var source: Source
  private let limit: Int
  private let defaults: CommitInfo
  private var lineNumber = 0
  private var gathered: [(line: Int, operation: Operation)] = []
  /// A line with its own commit, which ended the batch before it.
  private var held: OperationBatch?
  private var isAtEnd = false

  init(_ source: Source, limit: Int, defaults: CommitInfo) {
    precondition(limit > 0, "A batch has at least one operation.")
    self.source = source
    self.limit = limit
    self.defaults = defaults
  }

  /// Returns the next commit, or `nil` at the end of the input.
  ///
  /// - Parameter waits: Whether to wait for lines. If not, `nil` may also mean that the next commit is not complete
  ///   yet.
  /// - Throws: Any error of the source; `StoreError` with the line number for a line that is no operation, or for a
  ///   batch that contains such a line.
  mutating func next(waits: Bool) throws -> OperationBatch? {
    if let held {
      self.held = nil
      return held
    }
    while !isAtEnd, try waits || source.isReady() {
      guard let text = try source.next() else {
        isAtEnd = true
        break
      }
      lineNumber += 1
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
      if let batch = try add(text) { return batch }
    }
    return isAtEnd ? takeGathered() : nil
  }

  private mutating func add(_ text: [UInt8]) throws -> OperationBatch? {
    let line: OperationLine
    do {
      line = try OperationLine(parsing: text)
    } catch {
      throw OperationBatch.blame(error, lineNumber...lineNumber)
    }
    let operations = line.operations.map { (line: lineNumber, operation: $0) }
    guard line.standsAlone else {
      gathered += operations
      return gathered.count >= limit ? takeGathered() : nil
    }
    let batch = OperationBatch(
      operations: operations, info: line.info.filling(from: defaults), lines: lineNumber...lineNumber)
    guard let before = takeGathered() else { return batch }
    held = batch
    return before
  }

  private mutating func takeGathered() -> OperationBatch? {
    guard let first = gathered.first, let last = gathered.last else { return nil }
    defer { gathered.removeAll(keepingCapacity: true) }
    return OperationBatch(operations: gathered, info: defaults, lines: first.line...last.line)
  }
}

private extension CommitInfo {
  /// Returns the information with a missing author or message taken from the defaults.
  func filling(from defaults: CommitInfo) -> CommitInfo {
    var info = self
    info.author = info.author ?? defaults.author
    info.message = info.message ?? defaults.message
    return info
  }
}

/// A source of lines of operations.
package protocol OperationSource {
  /// Returns the next line without its end, waiting for it, or `nil` at the end of the input.
  mutating func next() throws -> [UInt8]?

  /// Whether ``next()`` would return without waiting.
  mutating func isReady() throws -> Bool
}
