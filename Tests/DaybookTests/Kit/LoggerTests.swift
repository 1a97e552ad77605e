import Daybook
import DaybookTestSupport
import Foundation
import InMemoryLogging
import Logging
import Testing

@Suite(.hangLimit) struct LoggerTests {
  @Test func aStoreSaysWhatItMends() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let first = try Store(at: path, model: .library)
    try first.write { _ = try $0.insert(Book(title: "Emma")) }
    first.close()
    let handler = InMemoryLogHandler()
    var options = StoreOptions()
    options.logger = Logger(label: "daybook") { _ in handler }
    try Store(at: path, options: options).close()
    #expect(handler.entries.isEmpty, "what goes as it should is not worth a word")
    try FileManager.default.removeItem(atPath: path + "/projections")
    let second = try Store(at: path, options: options)
    #expect(try second.count(Book.all) == 1)
    let entry = try #require(handler.entries.first { $0.message == "rebuilding projections" })
    #expect(entry.level == .info)
    #expect(entry.metadata["head"] == "2")
    #expect(entry.metadata["store"] == "\(path)")
    try closeAndVerify(second)
  }
}
