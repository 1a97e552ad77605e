#if Server

import Foundation
import Logging
import Testing

@testable import DaybookServer

@Suite(.hangLimit) struct QueuedLogTests {
  @Test func linesAreWrittenInTheirOrder() throws {
    let pipe = Pipe()
    let log = QueuedLog(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let logger = Logger(label: "test") { log.handler(label: $0) }
    logger.error("first", metadata: ["key": "value"])
    logger.debug("not written")
    logger.info("second\nline")
    log.finish()
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(" error test: key=value ") == true && lines.first?.hasSuffix(" first") == true)
    #expect(lines.last?.hasSuffix(#"second\nline"#) == true)
  }

  @Test func aLineIsSafeToShowInATerminal() throws {
    let pipe = Pipe()
    let log = QueuedLog(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let logger = Logger(label: "test") { log.handler(label: $0) }
    logger.info("a\u{1b}[2Jb\u{202e}c", metadata: ["\u{9b}key": ["x\u{7}", "\u{2028}"]])
    log.finish()
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(text.hasSuffix(" a [2Jb\u{fffd}c\n"))
    let offences = text.dropLast().unicodeScalars.filter { $0.properties.generalCategory == .control }
    #expect(offences.isEmpty && !text.contains("\u{2028}"), "\(text.debugDescription)")
  }

  /// A pipe holds 64 KiB on Linux: the writing thread waits for good, and no other does.
  @Test func aPipeThatIsNotReadHoldsNobody() throws {
    let pipe = Pipe()
    let log = QueuedLog(descriptor: pipe.fileHandleForWriting.fileDescriptor, limit: 1_000)
    let logger = Logger(label: "test") { log.handler(label: $0) }
    for number in 0..<20_000 { logger.info("line \(number) \(String(repeating: "x", count: 100))") }
    #expect(log.droppedCount > 10_000)
    log.finish(within: 0.1)
    // What is read afterwards states how much is missing.
    var text = ""
    while !text.contains("lines of the log were dropped") {
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    #expect(text.contains("lines of the log were dropped"))
  }
}

#endif
