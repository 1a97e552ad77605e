import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// The file `journal.json` of a store whose journal is replicated: the address, and the identity of the node.
///
/// A backup has no such file: the store that is restored from it is a node of its own only after it has joined.
package struct JournalFile: Hashable {
  package let address: JournalAddress
  /// The identity of this copy of the store among the nodes.
  package let node: ObjectID

  private static let version: Int64 = 1

  package init(address: JournalAddress, node: ObjectID) {
    (self.address, self.node) = (address, node)
  }

  private static func path(in directory: StoreDirectory) -> String { directory.path + "/journal.json" }

  /// Reads the file, or returns `nil` if the store has none.
  ///
  /// - Throws: `StoreError`: `damaged` for contents that are not an address, `newerFormat`, `inputOutput`.
  package init?(in directory: StoreDirectory) throws {
    let path = JournalFile.path(in: directory)
    guard try FileKind(ofFileAt: path) != nil else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StoreError(.inputOutput, "Cannot read \(path).", advice: "Only the owner of the store may read it.")
    }
    guard let json = try? JSONValue(parsing: [UInt8](data)), let version = json["version"]?.integerValue else {
      throw JournalFile.damage(path)
    }
    guard version == JournalFile.version else {
      throw StoreError(.newerFormat, "\(path) has version \(version).", advice: "Update Daybook.")
    }
    guard let address = JournalAddress(json: json), let node = json["node"]?.stringValue.flatMap({ ObjectID($0) })
    else {
      throw JournalFile.damage(path)
    }
    self.init(address: address, node: node)
  }

  private static func damage(_ path: String) -> StoreError {
    StoreError(
      .damaged, "\(path) is not the address of a journal.", advice: "Join the stream again with another path.")
  }

  /// The error of making a store a node that is one.
  package static func presence(in directory: StoreDirectory) -> StoreError {
    StoreError(.exists, "The store \(directory.path) has a replicated journal already.")
  }

  /// Writes the file, which only its owner can read, into a store that has none.
  ///
  /// - Throws: `StoreError`: `exists`, `inputOutput`; `LMDBError` if the file cannot be flushed.
  package func write(in directory: StoreDirectory) throws {
    let path = JournalFile.path(in: directory)
    guard try FileKind(ofFileAt: path) == nil else {
      throw JournalFile.presence(in: directory)
    }
    var text: [UInt8] = []
    JSONValue.object(
      [("version", .integer(JournalFile.version)), ("node", .string(node.description))] + address.members
    ).write(to: &text)
    text.append(UInt8(ascii: "\n"))
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: path, contents: Data(text), attributes: attributes) else {
      throw StoreError(.inputOutput, "Cannot write \(path).")
    }
    try flushToDisk(path, isDirectory: false)
    try flushToDisk(directory.path, isDirectory: true)
  }

  /// Removes the file of a store that has published nothing.
  ///
  /// - Throws: `StoreError` with the code `inputOutput`; `LMDBError` if the directory cannot be flushed.
  package func remove(from directory: StoreDirectory) throws {
    let path = JournalFile.path(in: directory)
    guard unlink(path) == 0 else { throw StoreError(systemError: errno, "remove", path) }
    try flushToDisk(directory.path, isDirectory: true)
  }
}
