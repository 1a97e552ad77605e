#if Import

import Foundation
import Testing

@testable import DaybookImport

/// The models, bundles and stores of Core Data among the shared files.
enum CoreDataFiles {
  static let root = SharedData.folder("coredata")

  static var exist: Bool { root != nil }

  /// The trait of tests that need the files.
  static var needed: ConditionTrait { .enabled(if: exist, "needs ../shared/data/coredata, or DAYBOOK_SHARED") }

  /// The trait of tests that compare with the scripts beside the files.
  static var withPython: ConditionTrait {
    .enabled(if: exist && Python.path != nil, "needs ../shared/data/coredata and python3")
  }

  /// A store with the model to which it belongs, and the bundle that has it.
  struct Store: Sendable, CustomTestStringConvertible {
    let directory: String
    let file: String
    /// The versions of the bundle that fit; empty for a store with a single `contents`.
    let fitting: [String]
    let bundle: String?

    var path: String { "\(root ?? "")/stores/\(directory)/\(file)" }
    var model: String { "\(root ?? "")/stores/\(directory)/\(bundle ?? "contents")" }
    var testDescription: String { "\(directory)/\(file)" }
  }

  static let stores = [
    Store(
      directory: "bookmarks", file: "Bookmarks_V1.sqlite", fitting: ["BookmarksModel", "BookmarksModel 2"],
      bundle: "BookmarksModel.xcdatamodeld"),
    Store(
      directory: "bookmarks", file: "Bookmarks_V3.sqlite", fitting: ["BookmarksModel 3"],
      bundle: "BookmarksModel.xcdatamodeld"),
    Store(
      directory: "bookmarks", file: "Bookmarks_V5.sqlite", fitting: ["BookmarksModel 5"],
      bundle: "BookmarksModel.xcdatamodeld"),
    Store(
      directory: "cars", file: "SampleModel_V1.sqlite", fitting: ["SampleModel"], bundle: "SampleModel.xcdatamodeld"),
    Store(
      directory: "cars", file: "SampleModel_V2.sqlite", fitting: ["SampleModel2"], bundle: "SampleModel.xcdatamodeld"),
    Store(directory: "gallery", file: "oss_stubbed_data.sqlite", fitting: [], bundle: nil),
    Store(directory: "knowledge", file: "knowledgec-10.13.db", fitting: [], bundle: nil),
    Store(directory: "library", file: "SampleModel2_V2.sqlite", fitting: [], bundle: nil),
    Store(directory: "messenger", file: file(in: "messenger", ending: "database"), fitting: [], bundle: nil),
    Store(directory: "recipes", file: "Recipes.sqlite", fitting: ["Recipes"], bundle: "Recipes.xcdatamodeld"),
    Store(
      directory: "surf", file: "SurfJournalModel.sqlite", fitting: ["SurfJournalModel"],
      bundle: "SurfJournalModel.xcdatamodeld"),
  ]

  /// Returns the name of the only file in the directory of a store that ends so.
  private static func file(in directory: String, ending end: String) -> String {
    SharedData.names("\(root ?? "")/stores/\(directory)").first { $0.hasSuffix(end) } ?? ""
  }

  /// The stores that carry a compiled model.
  static let storesWithModel = stores.filter { !["gallery", "surf"].contains($0.directory) }

  /// The paths of the single models, by name.
  static var models: [String] {
    let directory = (root ?? "") + "/models"
    return SharedData.names(directory).filter { $0.hasSuffix(".xml") }.map { "\(directory)/\($0)" }
  }

  static let bundles = SharedData.names((root ?? "") + "/bundles").filter { $0.hasSuffix(".xcdatamodeld") }

  static func bundle(_ name: String) -> String { "\(root ?? "")/bundles/\(name)" }

  /// Returns the output of a script beside the files.
  static func run(_ script: String, _ arguments: String...) throws -> String {
    String(decoding: try Python.run(["\(root ?? "")/\(script)"] + arguments), as: UTF8.self)
  }
}

#endif
