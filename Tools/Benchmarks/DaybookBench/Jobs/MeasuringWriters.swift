/// Shares updates among tasks that run at once; each waits for its commit before it makes the next.
///
/// - Parameter write: Makes one update and returns when it is durable.
func measuringWriters(
  _ writerCount: Int, updates: [Update], _ write: @escaping @Sendable (Update) async throws -> Void
) async throws -> Work {
  let latencies = try await withThrowingTaskGroup(of: [Duration].self) { group in
    for writer in 0..<writerCount {
      group.addTask {
        let clock = ContinuousClock()
        var latencies: [Duration] = []
        for index in stride(from: writer, to: updates.count, by: writerCount) {
          let start = clock.now
          try await write(updates[index])
          latencies.append(clock.now - start)
        }
        return latencies
      }
    }
    return try await group.reduce(into: []) { $0 += $1 }
  }
  return Work(operations: updates.count, latencies: latencies)
}
