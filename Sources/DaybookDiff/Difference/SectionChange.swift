/// A deleted or inserted section. Sections are never moved or renamed.
public enum SectionChange: Hashable, Sendable {
  /// The section with this index in the old list was deleted.
  case delete(index: Int, name: String)
  /// The section with this index in the new list was inserted.
  case insert(index: Int, name: String)

  /// The index: in the old list for a delete, in the new one for an insert.
  public var index: Int {
    switch self {
    case .delete(let index, _), .insert(let index, _): index
    }
  }

  /// The name of the section.
  public var name: String {
    switch self {
    case .delete(_, let name), .insert(_, let name): name
    }
  }

  /// Whether the section was deleted.
  package var isDelete: Bool {
    switch self {
    case .delete: true
    case .insert: false
    }
  }

  /// The change that undoes this one.
  var inverted: SectionChange {
    switch self {
    case .delete(let index, let name): .insert(index: index, name: name)
    case .insert(let index, let name): .delete(index: index, name: name)
    }
  }

  /// Returns whether both are the same change, with names of the same bytes.
  public static func == (a: SectionChange, b: SectionChange) -> Bool {
    a.isDelete == b.isDelete && a.index == b.index && SectionName(a.name) == SectionName(b.name)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(isDelete)
    hasher.combine(index)
    hasher.combine(SectionName(name))
  }
}

extension SectionChange: CustomStringConvertible {
  public var description: String { "\(isDelete ? "delete" : "insert") section \(index) \(name.debugDescription)" }
}

extension SectionChange {
  /// Orders changes: deletes by descending index, then inserts by ascending index.
  static func precedes(_ a: SectionChange, _ b: SectionChange) -> Bool {
    guard a.isDelete == b.isDelete else { return a.isDelete }
    return a.isDelete ? a.index > b.index : a.index < b.index
  }
}
