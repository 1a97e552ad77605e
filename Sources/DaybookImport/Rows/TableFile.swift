#if Import

import DaybookModel

/// A file of rows, which become objects: CSV, or JSON objects with the objects nested in them.
package protocol TableFile {
  /// The path, for messages.
  var name: String { get }

  /// The fields of the rows, with their types.
  var table: TableEntity { get }

  /// Calls `body` with each row, in the order of the file.
  ///
  /// - Throws: Any error of `body`; ``ImportError`` with the place for a row that cannot be read.
  func forEachRow(_ body: (TableObject) throws -> Void) throws
}

/// The fields of the rows of a file, or of the objects nested in them.
package struct TableEntity: Hashable, Sendable {
  /// The name of the entity.
  package var name: String
  package var columns: [TableColumn]
  package var children: [TableChild] = []
  package var rowCount: Int
}

extension TableEntity {
  /// The entity and all nested ones, each before the ones nested in it.
  package var all: [TableEntity] { [self] + children.flatMap(\.entity.all) }
}

/// A column of a CSV file, or a key of JSON objects.
package struct TableColumn: Hashable, Sendable {
  /// The name in the file.
  package var name: String
  /// The name of the attribute, or of the relationship over which the column leads.
  package var attribute: String
  package var type: AttributeType
  /// The number of rows with a value.
  package var valueCount: Int
  /// The place of the name in the file, or `nil` for a key of JSON.
  package var place: TextPlace?
  /// The reason for the type where it is not the values' own.
  package var note: String?
}

/// A key of JSON objects whose values are objects of an entity of their own.
package struct TableChild: Hashable, Sendable {
  /// The name in the file.
  package var name: String
  /// The relationship to the nested objects, and its inverse.
  package var relationship: String
  package var inverse: String
  /// Whether the values are lists.
  package var isMany: Bool
  package var entity: TableEntity
}

/// One row with its values.
package struct TableObject: Sendable {
  /// The values, in the order of the entity's columns.
  package var values: [Value]
  /// The nested objects of each child of the entity, in the order of the file.
  package var children: [[TableObject]] = []
  /// The places of the values, or only of the row.
  package var places: [TextPlace]

  /// Returns the place of a value, or the row's if values have none.
  package func place(ofColumn number: Int) -> TextPlace? { number < places.count ? places[number] : places.first }
}

#endif
