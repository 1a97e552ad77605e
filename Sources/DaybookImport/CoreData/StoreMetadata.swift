#if Import

import DaybookModel
import GRDB

/// The identity, entities and versions of a store, from `Z_METADATA`.
///
/// Applications put keys of their own into the property list there, access tokens too, so only Core Data's own keys are
/// read, and nothing else of the list is kept.
package struct StoreMetadata: Hashable, Sendable {
  /// The identity of the store, which copies of a shipped file share.
  package let identity: ObjectID
  /// The names of the entities of the store's model.
  package private(set) var entityNames: [String] = []
  /// The identifiers that the developer gave to the model's version, usually empty.
  package private(set) var versionIdentifiers: [String] = []
  /// The version of Core Data that wrote the store; `nil` without one.
  package private(set) var frameworkVersion: Int64?
  /// Whether the property list could be read.
  package private(set) var isListRead = false

  /// Reads the one row of the table.
  ///
  /// - Throws: ``ImportError`` for a table without a row, or an identity that is not a UUID.
  init(_ database: Database, path: String) throws {
    guard let row = try Row.fetchOne(database, sql: "SELECT Z_UUID, Z_PLIST FROM Z_METADATA") else {
      throw ImportError(.data, "\(path): Z_METADATA has no row; the store is damaged, so take it from a backup")
    }
    guard let identity = row.text(0).flatMap({ ObjectID($0) }) else {
      throw ImportError(.data, "\(path): Z_METADATA has no UUID of the store; it is damaged, so take it from a backup")
    }
    self.identity = identity
    guard let list = row.bytes(1) else { return }
    // Without the list only the report lacks some lines, so a list that cannot be read is not an error.
    try? readList(BinaryPlist(list, name: "Z_PLIST of \(path)"))
  }

  private mutating func readList(_ list: BinaryPlist) throws(ImportError) {
    let keys: Set = ["NSStoreModelVersionHashes", "NSStoreModelVersionIdentifiers", "NSPersistenceFrameworkVersion"]
    guard case .dictionary(let names, let values) = try list.object(list.top) else { return }
    for (name, value) in zip(names, values) {
      guard case .string(let key) = try list.object(name), keys.contains(key) else { continue }
      switch try list.object(value) {
      case .dictionary(let entities, _) where key == "NSStoreModelVersionHashes":
        entityNames = try StoreMetadata.strings(entities, list).sorted()
      case .array(let elements) where key == "NSStoreModelVersionIdentifiers":
        versionIdentifiers = try StoreMetadata.strings(elements, list)
      case .integer(let version) where key == "NSPersistenceFrameworkVersion": frameworkVersion = version
      default: break
      }
    }
    isListRead = true
  }

  private static func strings(_ numbers: [Int], _ list: BinaryPlist) throws(ImportError) -> [String] {
    var strings: [String] = []
    for number in numbers { if case .string(let text) = try list.object(number) { strings.append(text) } }
    return strings
  }
}

#endif
