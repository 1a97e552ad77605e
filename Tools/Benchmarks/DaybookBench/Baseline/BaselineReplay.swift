/// Raw LMDB reads every event of its journal.
final class BaselineReplay: FilledBaseline {
  override func run(round: Int, in store: BaselineStore) throws -> Work {
    let tally = try store.scanJournal()
    return Work(operations: tally.count, digest: tally.sum)
  }
}
