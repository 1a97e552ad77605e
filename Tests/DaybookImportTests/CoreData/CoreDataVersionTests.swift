#if Import

import Foundation
import Testing

@testable import DaybookImport

/// The layout that follows from a model, and the version that wrote a store.
@Suite(.hangLimit, CoreDataFiles.needed)
struct CoreDataVersionTests {
  @Test("the model predicts each column with its SQL type", arguments: CoreDataFiles.stores)
  func layout(_ store: CoreDataFiles.Store) throws {
    let source = try CoreDataStore(store.path)
    let fits = try ModelBundle(store.model).versions.filter { source.fit($0.lookup).isExact }.map(\.name)
    #expect(fits == (store.bundle == nil ? ["contents"] : store.fitting))
  }

  @Test(
    "the same versions fit as for the script", CoreDataFiles.withPython,
    arguments: CoreDataFiles.stores.filter { $0.bundle != nil })
  func script(_ store: CoreDataFiles.Store) throws {
    let source = try CoreDataStore(store.path)
    let fits = try ModelBundle(store.model).versions.filter { source.fit($0.lookup).isExact }.map(\.name)
    let text = try CoreDataFiles.run("expected.py", "--versions", store.path, store.model)
    #expect(fits == text.split(separator: "\n").map(String.init))
  }

  @Test("the compiled model fits its store", arguments: CoreDataFiles.storesWithModel)
  func compiled(_ store: CoreDataFiles.Store) throws {
    let source = try CoreDataImport(stores: [store.path], model: nil)
    #expect(source.storeVersion == nil)
    #expect(source.objects[0].store.fit(source.target).isExact)
    let byFile = try CoreDataImport(stores: [store.path], model: store.model)
    let (a, b) = (try source.objects[0].objectCounts(), try byFile.objects[0].objectCounts())
    #expect(a == b)
  }

  @Test("entities are numbered by name, each straight before its subentities", arguments: CoreDataFiles.stores)
  func numbers(_ store: CoreDataFiles.Store) throws {
    let source = try CoreDataImport(stores: [store.path], model: store.model).objects[0]
    let ordered = EntityNumbers.order(of: source.lookup)
    #expect(ordered.map { source.layout.numbers[$0.name] } == ordered.indices.map { Int64($0 + 1) })
  }

  @Test("of several versions that fit, the newest reads the store, and the current one is the target")
  func newest() throws {
    let source = try CoreDataImport(stores: [CoreDataFiles.stores[0].path], model: CoreDataFiles.stores[0].model)
    #expect(source.storeVersion == "BookmarksModel 2")
    #expect(source.target.model.name == "BookmarksModel 6")
  }

  @Test("a version that is named reads a store that it does not fit, with notes")
  func override() throws {
    let store = CoreDataFiles.stores[0]
    let source = try CoreDataImport(stores: [store.path], model: store.model, version: "BookmarksModel 5")
    #expect(source.storeVersion == "BookmarksModel 5")
    #expect(source.notes.contains { $0.message.contains("does not fit") })
    #expect(try source.objects[0].notes().contains { $0.kind == .missingColumn })
    #expect(try source.objects[0].all("BookmarkEntity").count == 10)
    #expect { try CoreDataImport(stores: [store.path], model: store.model, version: "BookmarksModel 9") } throws: {
      "\($0)".contains("has no version “BookmarksModel 9”; it has BookmarksModel, BookmarksModel 2")
    }
  }

  @Test("a store that no version fits is refused with the nearest version and the columns")
  func refused() throws {
    let store = CoreDataFiles.stores[2]
    let version = store.model + "/BookmarksModel 3.xcdatamodel"
    #expect { try CoreDataImport(stores: [store.path], model: version) } throws: { error in
      let text = "\(error)"
      return (error as? ImportError)?.exitStatus == 1 && text.contains("The nearest is “BookmarksModel 3”")
        && text.contains("ZBOOKMARKENTITY.")
    }
    let source = try CoreDataImport(stores: [store.path], model: version, unknownVersion: .readByCompiledModel)
    #expect(source.storeVersion == nil && source.target.model.name == "BookmarksModel 3")
    #expect(try source.objects[0].objectCounts() == ["BookmarkEntity": 10])
  }

  @Test("after a migration in place, a row with the former name is the renamed entity")
  func renamedEntity() throws {
    let store = try #require(CoreDataFiles.stores.first { $0.file == "SampleModel_V2.sqlite" })
    let source = try CoreDataImport(stores: [store.path], model: store.model)
    #expect(source.storeVersion == "SampleModel2")
    #expect(source.objects[0].layout.numbers["LuxuryCar"] == 3)
    #expect(source.objects[0].store.entityRows.contains { $0.name == "ExpensiveSportCar" })
    #expect(try source.objects[0].objectCounts()["LuxuryCar"] ?? 0 > 0)
  }

  @Test("a store without a compiled model needs a model")
  func noCompiledModel() throws {
    let store = try #require(CoreDataFiles.stores.first { $0.directory == "surf" })
    #expect { try CoreDataImport(stores: [store.path], model: nil) } throws: { "\($0)".contains("--model") }
  }
}

#endif
