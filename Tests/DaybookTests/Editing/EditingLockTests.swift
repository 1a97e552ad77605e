import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite(.hangLimit) struct EditingLockTests {
  /// The writer waits for the context, and the save for the writer: they must not deadlock.
  @Test(arguments: [false, true]) func aWriteMayReadAContextThatIsBeingSaved(isRebase: Bool) throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: FeedModel.model)
    let cake = try store.insertRecipes("Cake")[0]
    let context = try store.makeContext()
    try context.set(cake, ["servings": 4])
    let (isWriting, isSaving) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) {
        try store.write { tx in
          isWriting.signal()
          isSaving.wait()
          // Long enough for the save to wait.
          usleep(50_000)
          _ = try context.get(cake)
          try tx.rename(cake, to: "Tart")
        }
      }
      isDone.signal()
    }
    Thread.detachNewThread {
      #expect(throws: Never.self) {
        isWriting.wait()
        isSaving.signal()
        if isRebase { try context.rebase() }
        try context.save()
      }
      isDone.signal()
    }
    for _ in 0..<2 { try #require(isDone.wait(timeout: .now() + 20) == .success, "The threads wait for each other.") }
    let saved = try store.get(cake)
    #expect(saved?["name"] == "Tart" && saved?["servings"] == 4)
    try closeAndVerify(store)
  }

  @Test func aWriteInsideAnEditEndsWhileAnotherThreadSaves() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: FeedModel.model)
    let cakes = try store.insertRecipes("Cake", "Pie")
    let context = try store.makeContext()
    try context.set(cakes[0], ["servings": 4])
    let (isEditing, isSaving) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) {
        try context.edit { tx in
          isEditing.signal()
          isSaving.wait()
          usleep(50_000)
          try store.write { try $0.rename(cakes[1], to: "Tart") }
        }
      }
      isDone.signal()
    }
    Thread.detachNewThread {
      #expect(throws: Never.self) {
        isEditing.wait()
        isSaving.signal()
        try context.save()
      }
      isDone.signal()
    }
    for _ in 0..<2 { try #require(isDone.wait(timeout: .now() + 20) == .success, "The threads wait for each other.") }
    #expect(try store.get(cakes[0])?["servings"] == 4)
    try closeAndVerify(store)
  }
}
