import DaybookModel

/// An object as it was read: a value, unaffected by later changes of the store.
///
/// It holds the bytes of the object's record, and decodes a value each time it is asked for. A copy shares the bytes.
/// A large value is a reference, ``Value/large(_:)``, whose bytes are read from the store on demand.
public struct StoredObject: Sendable, Identifiable {
  public let id: ObjectID
  /// When the object was inserted.
  public let createdAt: Timestamp
  /// When an event last had the object as its subject.
  public let changedAt: Timestamp
  package let layout: RecordLayout
  /// The fields of the object's record, by rising tag.
  ///
  /// All of them were checked when the object was read, so decoding them cannot fail.
  private let fields: [UInt8]
  /// The targets of the to-one links that other objects own, in the order of the layout.
  private let foreignTargets: [ObjectID?]
  /// The place from which the large values are read.
  private let largeValues: (any LargeValueSource)?

  /// - Parameters:
  ///   - foreignTargets: The targets of the to-one links that other objects own, in the order of the layout.
  ///   - largeValues: The place from which the large values are read.
  /// - Throws: `MalformedBytes` if a field of the record cannot be decoded.
  init(
    _ id: ObjectID, _ record: RecordView, layout: RecordLayout, foreignTargets: [ObjectID?],
    largeValues: (any LargeValueSource)? = nil
  ) throws(MalformedBytes) {
    var reader = FieldReader(record.fields)
    // The fields and the links are by rising tag.
    var link = 0
    let linkTags = layout.ownLinkTags
    while !reader.isAtEnd {
      let field = try reader.next()
      try field.check()
      while link < linkTags.count, linkTags[link] < field.tag { link += 1 }
      if link < linkTags.count, linkTags[link] == field.tag { _ = try field.target() }
    }
    self.id = id
    self.layout = layout
    self.foreignTargets = foreignTargets
    self.largeValues = largeValues
    (createdAt, changedAt) = (record.stamps.createdAt, record.stamps.changedAt)
    fields = [UInt8](record.fields)
  }

  /// Makes an object of values that no record has yet.
  ///
  /// - Parameters:
  ///   - time: The time at which it is inserted and changed.
  ///   - value: Returns the value of an attribute by its name; `nil` for the value that a record without it has.
  ///   - target: Returns the target of a to-one link by its name.
  package init(
    _ id: ObjectID, of entity: ResolvedEntity, at time: Timestamp, value: (String) -> Value?,
    target: (String) -> ObjectID?
  ) {
    let layout = entity.recordLayout
    var encoded: [(tag: Tag, field: [UInt8])] = []
    for attribute in layout.attributes {
      guard let value = value(attribute.name) else { continue }
      var field: [UInt8] = []
      field.appendField(attribute.tag, value)
      encoded.append((attribute.tag, field))
    }
    for link in layout.links where link.foreignNumber == nil {
      guard let target = target(link.name) else { continue }
      var field: [UInt8] = []
      field.appendLink(link.tag, target: target)
      encoded.append((link.tag, field))
    }
    self.id = id
    self.layout = layout
    (createdAt, changedAt) = (time, time)
    fields = encoded.sorted { $0.tag < $1.tag }.flatMap(\.field)
    foreignTargets = layout.foreignLinks.map { target($0.name) }
    largeValues = nil
  }
}

extension StoredObject {
  /// The name of its entity.
  public var entity: String { layout.entity }

  /// All attributes, including derived ones, in the order of the model; null without value.
  ///
  /// - Complexity: O(*n*) for the size of the object; each access decodes the values.
  public var values: [NamedValue] {
    var place = FieldPlace()
    return layout.attributes.indices.map {
      NamedValue(
        name: layout.attributes[$0].name, type: layout.attributes[$0].type, value: value(ofAttribute: $0, from: &place))
    }
  }

  /// All to-one relationships, in the order of the model; `nil` if there is no target.
  ///
  /// The owner of a relationship may be on either side.
  ///
  /// - Complexity: O(*n*) for the size of the object; each access decodes the links.
  public var links: [NamedLink] {
    layout.links.map { NamedLink(name: $0.name, target: target(of: $0)) }
  }

  /// The value of an attribute; null if it has no value or does not exist.
  ///
  /// - Complexity: O(*n*) for the size of the object.
  public subscript(name: String) -> Value {
    guard let number = layout.attribute(named: name) else { return .null }
    var place = FieldPlace()
    return value(ofAttribute: number, from: &place)
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none or does not exist.
  ///
  /// - Complexity: O(*n*) for the size of the object.
  public func target(_ name: String) -> ObjectID? {
    layout.links.first { $0.name == name }.flatMap { target(of: $0) }
  }
}

extension StoredObject {
  /// A place between two fields of an object, for reading attributes by rising number without searching again.
  package struct FieldPlace {
    fileprivate var offset = 0

    package init() {}
  }

  /// Returns the value of an attribute by its number in the layout.
  ///
  /// - Parameter place: The place after the field of an attribute with a lower number, or the start; moved to the place
  ///   after this attribute's field.
  package func value(ofAttribute number: Int, from place: inout FieldPlace) -> Value {
    let tag = layout.attributes[number].tag
    return checked {
      var reader = FieldReader(fields.rawSpan.extracting(droppingFirst: place.offset))
      while !reader.isAtEnd {
        let field = try reader.next()
        if field.tag > tag { break }
        place.offset = fields.count - reader.remaining
        if field.tag == tag { return try field.value().reading(from: largeValues) }
      }
      return layout.attributes[number].missingValue
    }
  }

  /// Returns the target of a link of the layout.
  package func target(of link: RecordLayout.Link) -> ObjectID? {
    if let number = link.foreignNumber { return foreignTargets[number] }
    return checked { try FieldReader.field(link.tag, in: fields.rawSpan)?.target() }
  }

  /// Decodes fields, which were checked when the object was read.
  private func checked<Result>(_ decode: () throws -> Result) -> Result {
    do {
      return try decode()
    } catch {
      preconditionFailure("The fields of a record that was checked cannot be decoded: \(error).")
    }
  }
}

/// Two objects are equal if they have the same identity, entity, times, values and links.
extension StoredObject: Hashable {
  public static func == (a: StoredObject, b: StoredObject) -> Bool {
    guard a.id == b.id, a.createdAt == b.createdAt, a.changedAt == b.changedAt else { return false }
    if a.layout === b.layout, a.fields == b.fields, a.foreignTargets == b.foreignTargets { return true }
    // Different bytes may have the same meaning: an explicit null, a field of a retired attribute.
    return a.entity == b.entity && a.links == b.links
      && a.values.elementsEqual(b.values) { $0.name == $1.name && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(changedAt)
  }
}

extension StoredObject: CustomReflectable {
  /// The parts of the object with its decoded values, for printing.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "id": id, "entity": entity, "createdAt": createdAt, "changedAt": changedAt, "values": values, "links": links,
      ], displayStyle: .struct)
  }
}
