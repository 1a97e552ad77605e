#if Import

/// The identity of an object within its source: the root of its hierarchy and its primary key.
///
/// A key is unique among the objects of all entities of a hierarchy, so the entity itself is not part of it.
package struct SourceKey: Hashable, Sendable {
  /// The name of the root entity, or of the table.
  package let root: String
  package let number: Number

  /// A primary key.
  package enum Number: Hashable, Sendable {
    /// The key of Core Data, or a row number.
    case row(Int64)
    /// The text of any other key, such as `10248,11` for a key of two columns.
    case text(String)
  }

  package init(root: String, row: Int64) {
    self.root = root
    number = .row(row)
  }

  package init(root: String, text: String) {
    self.root = root
    number = .text(text)
  }
}

extension SourceKey.Number: Comparable {
  package static func < (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.row(let a), .row(let b)): a < b
    case (.text(let a), .text(let b)): a < b
    case (.row, .text): true
    case (.text, .row): false
    }
  }
}

extension SourceKey: Comparable {
  package static func < (a: SourceKey, b: SourceKey) -> Bool {
    a.root == b.root ? a.number < b.number : a.root < b.root
  }
}

#endif
