/// Rows that the process can make, but not now: another writer has the lock.
struct AwaitedRows: Error {
  let projection: String
}
