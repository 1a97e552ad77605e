import Daybook

/// Folders in folders.
enum FolderModel {
  /// - Parameters:
  ///   - isAcyclic: Whether no folder may be below itself.
  ///   - isOrdered: Whether the folders in a folder have an order that users choose.
  ///   - order: The order of the names.
  static func model(acyclic isAcyclic: Bool, ordered isOrdered: Bool = false, order: StringOrder = .codepoint) -> Model
  {
    Model(entities: [
      Entity(
        name: "Folder", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string, isOptional: true, order: order),
          Attribute(name: "size", type: .integer, isOptional: true),
        ],
        relationships: [
          Relationship(
            name: "parent", target: "Folder", inverse: "children", isOptional: true, isAcyclic: isAcyclic),
          Relationship(
            name: "children", target: "Folder", inverse: "parent", isMany: true, isOrdered: isOrdered,
            deleteRule: .cascade),
        ])
    ])
  }

  /// Returns the identity of a folder by its number.
  static func id(_ number: Int) -> ObjectID { ObjectID(high: 7, low: UInt64(number)) }
}

extension Transaction {
  /// Puts a folder into another one, or to the top.
  func move(_ folder: ObjectID, into parent: ObjectID?) throws {
    if let parent { return try relate(folder, "parent", to: parent) }
    if let present = try targets(of: folder, "parent").first { try unrelate(folder, "parent", from: present) }
  }
}
