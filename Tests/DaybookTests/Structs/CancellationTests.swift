import Daybook
import DaybookTestSupport
import Synchronization
import Testing

@Suite(.hangLimit) struct CancellationTests {
  @Test func aWriteThatIsCancelledInItsClosureLeavesNoTrace() async throws {
    try await withTemporaryStore(.library) { store in
      let task = Mutex<Task<Book.ID, any Error>?>(nil)
      // The closure cancels the task that waits for it.
      let (ready, go) = AsyncStream.makeStream(of: Void.self)
      let write = Task {
        for await _ in ready { break }
        return try await store.write { tx in
          let id = try tx.insert(Book(title: "Emma"))
          task.withLock { $0?.cancel() }
          return id
        }
      }
      task.withLock { $0 = write }
      go.yield()
      #expect(await isCancelled(write))
      let head = try store.position
      #expect(head == 1)
    }
  }

  @Test func aLongClosureCanAskWhetherItIsCancelled() async throws {
    try await withTemporaryStore(.library) { store in
      let task = Mutex<Task<Void, any Error>?>(nil)
      let inserted = Mutex(0)
      let (ready, go) = AsyncStream.makeStream(of: Void.self)
      let write = Task {
        for await _ in ready { break }
        try await store.write { tx in
          for number in 0..<100_000 {
            if number == 5 { task.withLock { $0?.cancel() } }
            try tx.checkCancellation()
            try tx.insert(Book(title: "\(number)"))
            inserted.withLock { $0 += 1 }
          }
        }
      }
      task.withLock { $0 = write }
      go.yield()
      #expect(await isCancelled(write))
      #expect(inserted.withLock { $0 } == 5)
      let head = try store.position
      #expect(head == 1)
    }
  }

  @Test func writesBesideACancelledOneStand() async throws {
    try await withTemporaryStore(.library) { store in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            let write = Task {
              try await store.write { tx in _ = try tx.insert(Book(title: "\(number)")) }
            }
            if number.isMultiple(of: 2) { write.cancel() }
            do {
              try await write.value
              return true
            } catch is CancellationError {
              return false
            }
          }
        }
        var written = 0
        for try await isWritten in group where isWritten { written += 1 }
        // A cancelled task may have finished earlier; exactly the tasks that reported success wrote.
        #expect(written >= 20)
        #expect(try store.count(Book.all) == written)
      }
    }
  }

  @Test func aSynchronousWriteOfACancelledTaskCanAskToo() async throws {
    try await withTemporaryStore(.library) { store in
      let write = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        func writeNow() throws {
          try store.write { tx in
            try tx.insert(Book(title: "Emma"))
            try tx.checkCancellation()
          }
        }
        try writeNow()
      }
      #expect(await isCancelled(write))
      let head = try store.position
      #expect(head == 1)
    }
  }

  /// Returns whether a task ends by throwing a cancellation error.
  private func isCancelled<Success: Sendable>(_ task: Task<Success, any Error>) async -> Bool {
    if case .failure(let error) = await task.result { error is CancellationError } else { false }
  }
}
