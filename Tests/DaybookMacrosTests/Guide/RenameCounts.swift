#if Macros

import DaybookMacros

// The typed projection from the article about projections.

struct RenameCounts: Projection {
  static let byName = ProjectedTable<String, Int>("by-name")

  let name = "rename-counts"
  let version = 1
  let isDeterministic = true

  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    guard case .renamed(let change) = try context.event(event).content,
      case .string(let name) = change.new
    else { return }
    try context.update(name, in: RenameCounts.byName) { $0 = ($0 ?? 0) + 1 }
  }
}

#endif
