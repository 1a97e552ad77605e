#if Import

import DaybookModel

/// An attribute as its source declares it.
package struct SourceAttribute: Hashable, Sendable {
  package var name: String
  package var type: SourceAttributeType
  package var isOptional = false
  /// Whether the source computes the value and never stores it.
  package var isTransient = false
  /// The value of new objects, as the source compiles it; `nil` without one, or where it exists in code only.
  package var defaultValue: Value?
  /// The default as the file declares it, which can be left over from another type: `0.0` of an integer.
  package var declaredDefault: String?
  package var rules = SourceRules()
  /// Whether large values are in files of their own; stored bytes then begin with a byte for the place.
  package var isExternal = false
  /// The expression that Core Data keeps up to date, such as `chapters.@count`.
  package var derivation: String?
  /// The name by which an earlier version declares the attribute, if it differs from ``name``.
  package var renamingIdentifier: String?
  /// The transformer between values and bytes.
  package var transformer: String?
  /// The declarations that cannot be read, in words, such as a default that is not a number.
  package var faults: [String] = []

  package init(name: String, type: SourceAttributeType) {
    self.name = name
    self.type = type
  }

  /// Whether a store has a column for the attribute.
  package var isStored: Bool { !isTransient && type != .undefined && type != .objectID }
}

#endif
