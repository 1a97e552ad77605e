#if Import

import Foundation
import Testing

@testable import DaybookImport

/// The memory that reading takes, for a store that `DAYBOOK_IMPORT_LARGE` names; without it the test is skipped.
@Suite(.hangLimit)
struct LargeStoreTests {
  private static let path = ProcessInfo.processInfo.environment["DAYBOOK_IMPORT_LARGE"]

  @Test("memory does not grow with the number of rows", .enabled(if: path != nil, "needs DAYBOOK_IMPORT_LARGE"))
  func memory() throws {
    let before = LargeStoreTests.peakInKilobytes
    let start = ContinuousClock.now
    let model = ProcessInfo.processInfo.environment["DAYBOOK_IMPORT_MODEL"]
    let objects = try CoreDataImport(stores: [try #require(LargeStoreTests.path)], model: model).objects[0]
    let opened = ContinuousClock.now
    var (count, linkCount) = (0, 0)
    for entity in objects.lookup.model.entities { try objects.forEachObject(of: entity.name) { _ in count += 1 } }
    let read = ContinuousClock.now
    for field in objects.relationships { _ = try objects.forEachLink(of: field) { _ in linkCount += 1 } }
    let growth = (LargeStoreTests.peakInKilobytes ?? 0) - (before ?? 0)
    print(
      "\(count) objects, opened in \(opened - start), read in \(read - opened); \(linkCount) links in \(ContinuousClock.now - read); \(growth) KiB"
    )
    #expect(count > 0 && growth < 100 << 10)
  }

  /// The largest memory of the process so far, on Linux.
  private static var peakInKilobytes: Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }
}

#endif
