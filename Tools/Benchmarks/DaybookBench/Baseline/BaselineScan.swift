/// Raw LMDB reads every key of the sorted view, which is the least that counting or ranking its rows takes.
final class BaselineScan: FilledBaseline {
  override func run(round: Int, in store: BaselineStore) throws -> Work {
    guard try store.scanView().count == workload.records.count else {
      throw BenchmarkError.noDifference(contestant: name)
    }
    return Work(operations: 1)
  }
}
