#if Import

import DaybookModel
import Foundation
import GRDB

@testable import DaybookImport

/// A store with the layout of a model, made for what no store at hand has.
struct MadeStore {
  static let identity = "0F6BE98C-7F3E-4F0E-9B52-3A1B0C8D2E11"

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - entities: The entities that have tables; all of them by default.
  ///   - joins: More tables as SQL.
  ///   - rows: Rows as SQL.
  static func make(
    _ path: String, _ model: SourceModel, entities: [String]? = nil, joins: [String] = [], rows: [String] = []
  ) throws {
    let lookup = try SourceLookup(model, origin: "made")
    let ordered = EntityNumbers.order(of: lookup).filter { entities?.contains($0.name) ?? true }
    let numbered = ordered.enumerated().map { (number: Int64($0 + 1), name: $1.name) }
    let layout = StoreLayout(lookup, numbers: EntityNumbers(lookup, rows: numbered))
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
      try database.execute(sql: "INSERT INTO Z_METADATA VALUES (1, '\(identity)', NULL)")
      try database.execute(
        sql: "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
      for (number, name) in numbered {
        try database.execute(sql: "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, 0)", arguments: [number, name])
      }
      for root in ordered where root.parent == nil {
        let table = layout.table(of: root.name)
        let columns = layout.expected.filter { $0.table == table }.sorted().map { ", \"\($0.name)\" \($0.sqlType)" }
        try database.execute(
          sql: "CREATE TABLE \"\(table)\" (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns.joined()))")
      }
      for sql in joins + rows { try database.execute(sql: sql) }
    }
    try queue.close()
  }

  /// Reads a model from the elements of Xcode's XML.
  static func model(_ elements: String) throws -> SourceModel {
    try ModelFileReader.read(Array("<model>\(elements)</model>".utf8), name: nil, origin: "made")
  }

  /// Opens a made store by its model.
  static func open(_ path: String, _ model: SourceModel) throws -> CoreDataObjects {
    CoreDataObjects(try CoreDataStore(path), try SourceLookup(model, origin: "made"))
  }
}

extension CoreDataObjects {
  /// The links of a relationship as pairs of keys, with the notes.
  func links(_ entity: String, _ name: String) throws -> (pairs: [String], notes: [SourceNote]) {
    var pairs: [String] = []
    let notes = try forEachLink(of: SourceField(entity, name)) { link in
      pairs.append("\(objectName(link.source)) \(objectName(link.target))")
    }
    return (pairs, notes)
  }

  /// All objects of an entity.
  func all(_ entity: String) throws -> [SourceObject] {
    var objects: [SourceObject] = []
    try forEachObject(of: entity) { objects.append($0) }
    return objects
  }
}

#endif
