import Foundation

extension GRDBStore {
  /// A store that holds the workload, written fast, and then opened as the variant specifies.
  convenience init(filledIn directory: URL, with workload: Workload, variant: GRDBVariant) throws {
    var filling = variant
    filling.durability = .off
    let store = try GRDBStore(in: directory, variant: filling)
    try store.insertCategories(of: workload)
    try store.ingest(workload.records, commitSize: 10_000)
    try store.checkpoint()
    try store.close()
    try self.init(in: directory, variant: variant)
  }
}
