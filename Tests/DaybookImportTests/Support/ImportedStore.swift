#if Import

import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

/// A store in a temporary directory into which a test imports sources.
struct ImportedStore {
  let directory: TemporaryDirectory
  var path: String { directory.path("store") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Imports a source.
  @discardableResult
  func run(_ source: PlainSource, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> ImportReport {
    var job = ImportJob(.coreData, [source], into: path, target: source.lookup)
    change(&job.options)
    return try job.run()
  }

  /// Opens the store, and verifies it afterwards.
  func read<Result>(_ body: (Store) throws -> Result) throws -> Result {
    try readUnverified { store in
      let result = try body(store)
      try closeAndVerify(store)
      return result
    }
  }

  /// Opens the store, for a test that verifies it at its end.
  func readUnverified<Result>(_ body: (Store) throws -> Result) throws -> Result {
    let store = try Store(at: path)
    defer { store.close() }
    return try body(store)
  }

  /// Writes a commit of the application that uses the store.
  func write(_ body: (borrowing Transaction) throws -> Void) throws {
    let store = try Store(at: path)
    defer { store.close() }
    try store.write(author: "user", body)
  }

  /// The head of the store.
  var head: Position { get throws { try read { try $0.position } } }

  /// The names beside the store, the store among them.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
}

extension PlainSource {
  /// Three tasks of one project, with two tags.
  static func projects() throws -> PlainSource {
    var source = try PlainSource(.projects)
    source.rows = [
      "Project": [1: Row(values: ["title": "House", "size": 3], links: ["tasks": [12, 10, 11], "owner": [20]])],
      "Task": [
        10: Row(values: ["title": "Walls"], links: ["tags": [30]]),
        11: Row(values: ["title": "Roof"], links: ["tags": [30, 31]]), 12: Row(values: ["title": "Plan"]),
      ],
      "Person": [20: Row(values: ["name": "Ada"])],
      "Tag": [30: Row(values: ["name": "wood"]), 31: Row(values: ["name": "high"])],
    ]
    return source
  }
}

extension SourceValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
}

#endif
