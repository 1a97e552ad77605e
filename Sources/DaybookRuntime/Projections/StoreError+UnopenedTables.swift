import DaybookEngine

extension StoreError {
  /// Returns the error of tables that are still missing after they were opened.
  init(_ missing: UnopenedTables) {
    self.init(missingTable: missing.names.first ?? "objects", of: missing.projection ?? "objects")
  }
}
