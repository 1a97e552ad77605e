import Foundation

/// Opens a store several times and reads an object that was not read before; closing it is not counted.
///
/// - Parameters:
///   - open: Opens the store and reads the object with this id. Returns the store and the object's digest.
///   - close: Closes the store.
func measuringOpens<Store>(
  of workload: Workload, count: Int, round: Int, _ open: (UUID) throws -> (Store, digest: UInt64),
  close: (Store) throws -> Void
) rethrows -> Work {
  let clock = ContinuousClock()
  var work = Work(operations: count, digest: 0, elapsed: .zero)
  for offset in workload.middleOffsets(count: count, round: round) {
    let start = clock.now
    let (store, digest) = try open(workload.records[offset].id)
    let elapsed = clock.now - start
    try close(store)
    work.add(elapsed)
    work.digest? &+= digest
  }
  return work
}
