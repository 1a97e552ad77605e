#if Import

/// A place in a text.
package struct TextPlace: Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, in code points.
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

#endif
