#if Import

import DaybookModel

/// The targets of one object over one relationship, in the source's order.
struct LinkGroup {
  let source: ObjectID
  /// The name of the object in the source, for a report.
  let name: String
  var targets: [ObjectID]
}

#endif
