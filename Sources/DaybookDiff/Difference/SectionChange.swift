/// A section that came or went. Sections are never moved or renamed.
public enum SectionChange: Hashable, Sendable {
  /// The section with this index in the old list is gone.
  case delete(index: Int, name: String)
  /// The section with this index in the new list is new.
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

  /// Whether the section went.
  public var isDelete: Bool {
    switch self {
    case .delete: true
    case .insert: false
    }
  }

  /// The change that takes this one back.
  var inverted: SectionChange {
    switch self {
    case .delete(let index, let name): .insert(index: index, name: name)
    case .insert(let index, let name): .delete(index: index, name: name)
    }
  }

  /// Changes are equal if they say the same of names with the same bytes.
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
  /// The order within a difference: deletes by falling index, then inserts by rising index.
  static func precedes(_ a: SectionChange, _ b: SectionChange) -> Bool {
    guard a.isDelete == b.isDelete else { return a.isDelete }
    return a.isDelete ? a.index > b.index : a.index < b.index
  }
}
