import DaybookModel

/// An event as it lies in the journal, borrowed while ``StoreReader/forEachEvent(from:to:_:)`` goes through it.
///
/// It speaks of entities, attributes and relationships by their tags, the numbers that stand for them in the files: no
/// name is looked up and no value is made before somebody asks, which is why a scan costs a fiftieth of a ``CommitLog``.
public struct RawEvent: ~Escapable {
  let view: EventView
  /// The position of its commit.
  public let position: Position
  /// The time of its commit: when that happened, else when it was recorded.
  public let time: Timestamp

  @_lifetime(copy view)
  package init(_ view: consuming EventView, position: Position, time: Timestamp) {
    self.view = view
    self.position = position
    self.time = time
  }

  /// What happened.
  public var kind: Event.Kind {
    switch view.kind {
    case .inserted: .inserted
    case .renamed: .renamed
    case .set: .set
    case .related: .related
    case .unrelated: .unrelated
    case .deleted: .deleted
    case .unknown: .unknown
    }
  }

  /// The tag of the subject's entity.
  public var entity: UInt16 { view.entity.number }

  /// The subject; of a link its owner.
  public var object: ObjectID { view.object }

  /// The last earlier commit that touched the subject, if any did.
  public var previous: Position? { view.previous }

  /// The fields, by rising tag: of `inserted` and `deleted` all that the object has; of `renamed` and `set` the old and
  /// then the new one of each attribute that changed; of `related` and `unrelated` none.
  public var fields: RawFields {
    @_lifetime(copy self)
    get { RawFields(view.fields) }
  }

  /// The tag of the relationship, of `related` and `unrelated`.
  public var relationship: UInt16? { view.link?.relationship.number }

  /// The new target, of `related`.
  public var target: ObjectID? { view.link?.to }

  /// The target that was replaced or let go, of `related` and `unrelated`.
  public var formerTarget: ObjectID? { view.link?.from }
}

/// The fields of a ``RawEvent``, read from first to last.
///
///     var fields = event.fields
///     while let field = try fields.next() {
///       if field.tag == timestamp { print(try field.value()) }
///     }
public struct RawFields: ~Escapable {
  private var reader: FieldReader

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) {
    reader = FieldReader(bytes)
  }

  /// The next field; nil at the end.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the bytes are not a field.
  @_lifetime(copy self)
  public mutating func next() throws -> RawField? {
    if reader.isAtEnd { return nil }
    do {
      return RawField(try reader.next())
    } catch {
      throw StoreError.translating(error)
    }
  }
}

/// A field of a ``RawEvent``: the value of an attribute, or the target of a link over a removed relationship.
public struct RawField: ~Escapable {
  private let view: FieldView

  @_lifetime(copy view)
  init(_ view: consuming FieldView) {
    self.view = view
  }

  /// The tag of the attribute or relationship.
  public var tag: UInt16 { view.tag.number }

  /// The value as it lies in the file, without its length: text is UTF-8.
  public var bytes: RawSpan {
    @_lifetime(copy self)
    get { view.payload }
  }

  /// The value; of a link, its target.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the bytes are none.
  public func value() throws -> Value {
    do {
      return try view.value()
    } catch {
      throw StoreError.translating(error)
    }
  }
}
