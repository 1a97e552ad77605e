import CLMDB

/// A reader slot in use.
package struct ReaderInfo: Hashable, Sendable {
  package let processID: Int
  /// The system's number of the thread that took the slot.
  package let threadID: UInt
  /// The snapshot in use, or `nil` if the slot is kept for the next transaction.
  package let transactionID: Int?

  package init(processID: Int, threadID: UInt, transactionID: Int?) {
    (self.processID, self.threadID, self.transactionID) = (processID, threadID, transactionID)
  }
}

extension Environment {
  /// Frees the reader slots of processes that have died.
  ///
  /// A taken slot keeps old pages from being used again.
  ///
  /// - Returns: The number of slots freed.
  @discardableResult
  package func checkReaders() throws(LMDBError) -> Int {
    try unsafe withUse(.checkReaders) { engine throws(LMDBError) in
      var count: CInt = 0
      let code = unsafe mdb_reader_check(engine, &count)
      guard code == 0 else { throw failure(code, .checkReaders) }
      return Int(count)
    }
  }

  /// Lists the reader slots in use, of all processes.
  ///
  /// - Complexity: O(*n*) for the largest number of slots ever in use at a time.
  package func readers() throws(LMDBError) -> [ReaderInfo] {
    try unsafe withUse(.listReaders) { engine throws(LMDBError) in
      guard let readers = unsafe Self.listReaders(engine) else { throw refusal(.system, .listReaders) }
      return readers
    }
  }

  /// Lists the reader slots, or returns `nil` if LMDB fails.
  ///
  /// LMDB shows the slots only as text: a heading, then process, thread in hexadecimal and transaction, or a dash.
  static func listReaders(_ engine: OpaquePointer) -> [ReaderInfo]? {
    final class Lines { var readers: [ReaderInfo] = [] }
    let lines = Lines()
    let code = unsafe mdb_reader_list(
      engine,
      { text, context in
        guard let text = unsafe text, let context = unsafe context else { return -1 }
        guard let reader = unsafe ReaderInfo(line: String(cString: text)) else { return 0 }
        unsafe Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().readers.append(reader)
        return 0
      }, unsafe Unmanaged.passUnretained(lines).toOpaque())
    return withExtendedLifetime(lines) { code < 0 ? nil : lines.readers }
  }
}

extension ReaderInfo {
  init?(line: String) {
    let words = line.split { $0 == " " || $0 == "\n" }
    guard words.count == 3, let process = Int(words[0]), let thread = UInt(words[1], radix: 16) else { return nil }
    self.init(processID: process, threadID: thread, transactionID: Int(words[2]))
  }
}
