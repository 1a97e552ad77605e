/// The identity of an object with the number of its entity.
@usableFromInline
package struct ObjectKey: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package let entity: Int
  @usableFromInline package let id: ObjectID

  @inlinable
  package init(entity: Int, id: ObjectID) {
    self.entity = entity
    self.id = id
  }
}
