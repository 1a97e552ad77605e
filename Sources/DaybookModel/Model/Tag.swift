/// The number that stands for an entity, attribute, relationship, view or constraint in the files.
///
/// One counter serves a whole store, from 1 up, and a tag is never given twice: renaming something keeps its tag, and
/// what is removed retires it.
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
