import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Where stores are made, and where they are not.
@Suite(.hangLimit) struct CreationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: [0, 1, 2, 100_000]) func slashesAtTheEndOfAPathAreNoPartOfIt(count: Int) throws {
    let path = directory.path("store")
    let store = try Store(at: path + String(repeating: "/", count: count), model: .library)
    #expect(store.path == path)
    store.close()
    #expect(throws: StoreError.self) { try Store.create(at: path + "/", model: .library) }
    let again = try Store(at: path, model: .library)
    #expect(try again.position == 1)
    again.close()
  }

  @Test func eachWayToMakeAStoreTellsOfAMissingDirectory() throws {
    let path = directory.path("missing/store")
    for make in [
      { _ = try Store(at: path, model: .library) }, { _ = try Store.create(at: path, model: .library) },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self, performing: make)
      #expect(error?.code == .inputOutput)
      #expect(error?.message == "The store \(path) cannot be created: its directory does not exist.")
    }
    #expect(!FileManager.default.fileExists(atPath: directory.path("missing")))
  }
}
