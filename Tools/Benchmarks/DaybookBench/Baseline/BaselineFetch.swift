import CBaseline
import Foundation

/// Raw LMDB seeks a row of the sorted view by its key and reads it and the next ones, each with its object.
///
/// LMDB cannot seek by offset: the key is given. Strings are not decoded.
final class BaselineFetch: FilledBaseline {
  private let count: Int
  private var places: [baseline_place] = []

  init(_ workload: Workload, name: String = PeerName.rawLMDB, count: Int, settings: Settings) {
    self.count = count
    super.init(workload, name: name, settings: settings)
  }

  override func beginRound(_ round: Int, in directory: URL) {
    places = workload.middleOffsets(count: count, round: round).map {
      baseline_place(workload.records[workload.indexOrder[$0]])
    }
  }

  override func run(round: Int, in store: BaselineStore) throws -> Work {
    let digest = try store.fetch(from: places[0], limit: settings.fetchLimit).sum
    for place in places.dropFirst() { _ = try store.fetch(from: place, limit: settings.fetchLimit) }
    return Work(operations: count, digest: digest)
  }
}
