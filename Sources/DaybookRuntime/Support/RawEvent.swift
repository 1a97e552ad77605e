import DaybookEngine
import DaybookModel

/// An event as stored in the journal, borrowed from its bytes.
///
/// It refers to entities, attributes and relationships by their tags, the numbers that represent them in the files.
/// Names and values are decoded only on request, which is why a scan costs a fiftieth of a ``CommitLog``.
@usableFromInline package struct RawEvent: ~Escapable, BitwiseCopyable {
  // What follows is inlinable, so that the loop of a caller in another module decodes only what it uses.
  @usableFromInline let view: EventView
  /// The position of the event's commit.
  @usableFromInline package let position: Position
  /// The time when the event's commit happened, or else the time when it was recorded.
  @usableFromInline package let time: Timestamp

  @inlinable
  @inline(__always)
  @_lifetime(copy view)
  package init(_ view: consuming EventView, position: Position, time: Timestamp) {
    self.view = view
    self.position = position
    self.time = time
  }

  /// The kind of the event.
  @inlinable package var kind: Event.Kind { view.kind.decoded }

  /// The tag of the subject's entity.
  @inlinable package var entity: UInt16 { view.entity.number }

  /// The subject of the event; for a link, its owner.
  @inlinable package var object: ObjectID { view.object }

  /// The last earlier commit that touched the subject, or `nil` if none did.
  @inlinable package var previous: Position? { view.previous }

  /// The fields, by ascending tag.
  ///
  /// For `inserted` and `deleted` these are all fields of the object; for `renamed` and `set` the old and then the new
  /// field of each attribute that changed; for `recorded` the values of the event; for `related` and `unrelated` there
  /// are no fields.
  @inlinable
  package var fields: RawFields {
    @_lifetime(copy self)
    get { RawFields(view.fields) }
  }

  /// The tag of the named event's declaration, for `recorded`.
  @inlinable package var eventType: UInt16? { view.eventType?.number }

  /// The tag of the relationship, for `related` and `unrelated`.
  @inlinable package var relationship: UInt16? { view.link?.relationship.number }

  /// The new target, for `related`.
  @inlinable package var target: ObjectID? { view.target }

  /// The target that was replaced or removed, for `related` and `unrelated`.
  @inlinable package var formerTarget: ObjectID? { view.formerTarget }
}

/// The fields of a ``RawEvent``, read from first to last.
///
///     var fields = event.fields
///     while let field = try fields.next() {
///       if field.tag == timestamp { print(try field.value()) }
///     }
@usableFromInline package struct RawFields: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: FieldReader

  @inlinable
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) {
    reader = FieldReader(bytes)
  }

  /// Returns the next field, or `nil` at the end.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the bytes are not a field.
  @inlinable
  @inline(__always)
  @_lifetime(copy self)
  package mutating func next() throws -> RawField? {
    if reader.isAtEnd { return nil }
    do {
      return RawField(try reader.next())
    } catch {
      throw damage(error)
    }
  }
}

/// A field of a ``RawEvent``.
///
/// It is the value of an attribute, or the target of a link over a removed relationship.
@usableFromInline package struct RawField: ~Escapable, BitwiseCopyable {
  @usableFromInline let view: FieldView

  @inlinable
  @_lifetime(copy view)
  init(_ view: consuming FieldView) {
    self.view = view
  }

  /// The tag of the attribute or relationship.
  @inlinable package var tag: UInt16 { view.tag.number }

  /// The value as stored in the file, without its length: text is UTF-8.
  @inlinable
  package var bytes: RawSpan {
    @_lifetime(copy self)
    get { view.payload }
  }

  /// Returns the value; for a link, its target.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the bytes are not a value.
  @inlinable
  @inline(__always)
  package func value() throws -> Value {
    do {
      return try view.value()
    } catch {
      throw damage(error)
    }
  }
}

/// Returns the error for an event whose bytes are malformed.
@usableFromInline
@inline(never)
func damage(_ bytes: MalformedBytes) -> any Error { StoreError.translating(bytes) }
