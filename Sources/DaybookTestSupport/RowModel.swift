import DaybookModel

/// Rows with texts that sort in different orders, for the requests that views answer.
package enum RowModel {
  /// Texts of which some are equal, or neighbours, in one of the orders.
  package static let texts: [Value] = [.null, "", "a", "b", "B", "b2", "b10", "c"]

  /// Tests of the kind: none, of one value in each form, and of several values.
  package static let kindTests = [
    "", "kind == 1", "kind IN {1}", "kind IN {1, 2}", "kind BETWEEN {1, 1}", "kind > 0",
  ]

  /// Returns the model with some indexes.
  package static func model(_ indexes: [Index]) -> Model {
    Model(entities: [
      Entity(
        name: "Row",
        attributes: [
          Attribute(name: "kind", type: .integer, isOptional: true),
          Attribute(name: "name", type: .string, isOptional: true),
          Attribute(name: "title", type: .string, isOptional: true, order: .caseInsensitive),
          Attribute(name: "file", type: .string, isOptional: true, order: .natural),
        ], indexes: indexes)
    ])
  }
}
