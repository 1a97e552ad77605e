#if Import

import DaybookModel

/// The limits on a JSON file, which bound the memory of its reader.
package struct JSONLimits: Hashable, Sendable {
  /// The most bytes of one object: as many as an attribute can have.
  package var objectSizeInBytes = 64 << 20
  /// The most arrays and objects inside each other, at most those that JSON in a store can have.
  package var depth = JSONValue.maximumDepth
  /// The most keys that the objects have together; with nested entities, the keys of nested objects count too.
  package var fieldCount = 10_000

  package init() {}
}

#endif
