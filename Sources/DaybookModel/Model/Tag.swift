/// The number of an entity, attribute, relationship, view or constraint in the files.
///
/// One counter, from 1 up, serves a whole store, and no tag is assigned twice: a renamed part keeps its tag, and the
/// tag of a removed part is retired.
@usableFromInline
package struct Tag: Hashable, Sendable, BitwiseCopyable, Comparable, CustomStringConvertible {
  @usableFromInline package let number: UInt16

  @inlinable
  package init(_ number: UInt16) {
    self.number = number
  }

  @inlinable
  package static func < (a: Tag, b: Tag) -> Bool { a.number < b.number }

  @usableFromInline package var description: String { String(number) }
}
