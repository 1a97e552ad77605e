#if Import

/// The numbers of declarations that an import does not translate, and mentions in its report.
package struct SourceAnnotations: Hashable, Sendable {
  /// The entries of `userInfo`.
  package var userInfoEntryCount = 0
  /// The attributes that Spotlight indexes.
  package var spotlightAttributeCount = 0
  /// The attributes that the history keeps after the deletion of their object.
  package var preservedAttributeCount = 0
  /// The attributes that CloudKit encrypts.
  package var encryptedAttributeCount = 0

  package init() {}

  package static func += (a: inout SourceAnnotations, b: SourceAnnotations) {
    a.userInfoEntryCount += b.userInfoEntryCount
    a.spotlightAttributeCount += b.spotlightAttributeCount
    a.preservedAttributeCount += b.preservedAttributeCount
    a.encryptedAttributeCount += b.encryptedAttributeCount
  }
}

#endif
