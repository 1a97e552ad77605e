extension Layer {
  /// Returns the inverse of a layer that is, or is about to be, on top of a reader's state.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows of the layer.
  package func inverted(over reader: Reader) throws -> Layer {
    let inverse = Layer()
    for table in TableName.allCases where !self[table].isEmpty {
      var cursor = self[table].makeCursor()
      while cursor.moveToNext() {
        if let value = try unsafe reader.unsafeValue(for: cursor.key, in: table) {
          inverse[table].put(cursor.key, value)
        } else {
          inverse[table].delete(cursor.key)
        }
      }
    }
    return inverse
  }
}
