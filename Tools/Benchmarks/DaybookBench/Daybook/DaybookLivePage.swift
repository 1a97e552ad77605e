import Daybook
import DaybookDiff
import Foundation

/// Daybook reads some rows from the middle of a live result whose ordering is warm.
final class DaybookLivePage: Contestant {
  /// How the rows are named.
  enum Addressing {
    /// By their numbers from the start, over a view.
    case offset
    /// By a section and their numbers there, where no view has the order.
    case sectionAndRow
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let addressing: Addressing
  private let count: Int
  private let settings: Settings
  private var store: Store?
  private var results: LiveResults<StoredObject>?
  private var sections: [ResultSection] = []

  init(_ workload: Workload, name: String, addressing: Addressing, count: Int, settings: Settings) {
    self.workload = workload
    self.name = name
    self.addressing = addressing
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    let store = try Store(filledIn: directory, with: workload, settings: settings)
    var request = Request(entity: "Task", sort: [SortTerm(path: ["timestamp"])])
    if addressing == .sectionAndRow { request.section = SectionKey(path: ["category", "name"]) }
    let results = try store.liveResults(of: request)
    sections = try results.sections
    self.store = store
    self.results = results
  }

  func run(round: Int) throws -> Work {
    let results = prepared(results)
    let limit = settings.fetchLimit
    let offsets = workload.middleOffsets(count: count, round: round)
    switch addressing {
    case .offset:
      let digest = try results.rows(in: offsets[0]..<(offsets[0] + limit)).reduce(0) { $0 &+ $1.digest }
      for offset in offsets.dropFirst() { _ = try results.rows(in: offset..<(offset + limit)) }
      return Work(operations: count, digest: digest)
    case .sectionAndRow:
      for offset in offsets {
        let section = offset % sections.count
        let first = offset % max(sections[section].count - limit, 1)
        _ = try results.rows(inSection: section, first..<(first + limit))
      }
      return Work(operations: count)
    }
  }

  func cleanUp() {
    results = nil
    store?.close()
    store = nil
  }
}
