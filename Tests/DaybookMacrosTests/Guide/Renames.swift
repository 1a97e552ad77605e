#if Macros

import DaybookMacros

// The projection from the article about projections.

struct Renames: Projection {
  let name = "renames"
  let version = 1

  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    guard event.kind == .renamed else { return }
    try context.increment(event.object.bytes, by: 1, in: "count")
  }
}

#endif
