import CBaseline
import Foundation

/// Raw LMDB seeks a row of the sorted view by its key and reads it and the next ones, each with its object.
///
/// LMDB cannot seek by offset: the key is given. Strings are not decoded.
final class BaselineFetch: Contestant {
  let name: String
  let role = Role.engine
  private let workload: Workload
  private let count: Int
  private let settings: Settings
  private var store: BaselineStore?
  private var places: [baseline_place] = []

  init(_ workload: Workload, name: String = PeerName.rawLMDB, count: Int, settings: Settings) {
    self.name = name
    self.workload = workload
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try BaselineStore(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) {
    places = workload.middleOffsets(count: count, round: round).map {
      baseline_place(workload.records[workload.indexOrder[$0]])
    }
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let digest = try store.fetch(from: places[0], limit: settings.fetchLimit).sum
    for place in places.dropFirst() { _ = try store.fetch(from: place, limit: settings.fetchLimit) }
    return Work(operations: count, digest: digest)
  }

  func cleanUp() {
    store = nil
  }
}
