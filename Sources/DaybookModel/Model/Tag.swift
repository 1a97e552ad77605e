/// The number of an entity, attribute, relationship, index or constraint in the files.
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

  var json: JSONValue { .integer(Int64(number)) }

  /// The first tag of derived entities, of which the rows are in tables of their own.
  ///
  /// A model of the journal has lesser tags. Each projection with derived entities has a range of the others.
  package static let firstDerived: UInt16 = 0x8000

  /// Whether it belongs to a derived entity, or to the way back of a link of one, in a model that has any.
  ///
  /// A journal's model may have such a tag too; no derived entities can be added to it.
  package var isDerived: Bool { number >= Tag.firstDerived }
}

/// Assigns tags in ascending order.
struct TagCounter {
  private var number: Int

  init(next: UInt16 = 1) { number = Int(next) }

  /// Assigns tags beyond the limit too, so that a model of any size can be walked.
  ///
  /// ``check()`` then refuses it.
  mutating func give() -> Tag {
    defer { number += 1 }
    return Tag(UInt16(clamping: number))
  }

  func check() throws(ModelError) {
    guard number <= Int(UInt16.max) else {
      throw ModelError([
        Fault(
          "",
          "needs tags up to \(number - 1), and a store has \(UInt16.max - 1) over all its time; declare fewer things")
      ])
    }
  }

  var next: UInt16 { UInt16(clamping: number) }
}

extension [UInt8] {
  /// Appends a tag and an identity, with which the keys of most rows begin.
  ///
  /// It appends all bytes at once, because each append checks the capacity again.
  @inlinable
  package mutating func append(_ tag: Tag, _ id: ObjectID) {
    Swift.withUnsafeBytes(of: (UInt64(tag.number).bigEndian, id.high.bigEndian, id.low.bigEndian)) { bytes in
      append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[6...]))
    }
  }
}
