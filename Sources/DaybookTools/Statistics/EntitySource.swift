import Daybook
import DaybookEngine
import DaybookModel
import LMDB

/// Yields the objects of one entity by id, in the encoding of the state hash.
///
/// Objects of its descendants are among the same rows, and are left out.
struct EntitySource {
  let entity: Int
  /// The tag in the records of its objects; `nil` for the root of a hierarchy.
  private let recordTag: Tag?
  /// The present object, or `nil` at the end.
  private(set) var id: ObjectID?
  private let objects: RowCursor
  private let entityName: [UInt8]
  /// The attributes, sorted by name.
  private let attributes: [AttributePart]
  private let links: [LinkPart]
  /// By tag: the number in `attributes` from 1, or the negative number in `links`; 0 for none.
  private let slotByTag: [Int32]
  private var record: [UInt8] = []
  /// The place of each attribute's field in the record.
  private var fields: [Field?]
  private var targets: [[ObjectID]]
  /// The place from which large values are read.
  private let largeValues: (any LargeValueSource)?

  private struct AttributePart {
    let tag: Tag
    /// The start of the part: its kind, and the name.
    let head: [UInt8]
    /// The value of an object without this field; empty without a default.
    let missing: [UInt8]
  }

  private struct LinkPart {
    let tag: Tag
    let head: [UInt8]
    /// The rows of the relationship; `nil` if the link is in the object's record.
    let rows: RowCursor?
    /// Whether a link counts only at the lesser of its objects, because both have it.
    let isMirrored: Bool
  }

  private struct Field {
    let form: FieldForm
    let payload: Range<Int>
  }

  private enum Part {
    static let end: UInt8 = 0
    static let attribute: UInt8 = 1
    static let links: UInt8 = 2
  }

  init(_ entity: ResolvedEntity, _ reader: Reader) throws {
    self.entity = entity.index
    recordTag = entity.parent == nil ? nil : entity.tag
    largeValues = reader.largeValues
    var name: [UInt8] = []
    name.appendText(entity.name)
    entityName = name
    attributes = entity.attributes.filter { !$0.isRetired && $0.derivation == nil }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { attribute in
        var missing: [UInt8] = []
        if !attribute.valueWhenMissing.isNull {
          var field: [UInt8] = []
          field.appendField(attribute.tag, attribute.valueWhenMissing)
          // The field was written one line above, so it can be read.
          var fields = FieldReader(field.rawSpan)
          if let field = try? fields.next() { try? EntitySource.append(field.form, field.payload, to: &missing) }
        }
        return AttributePart(
          tag: attribute.tag, head: EntitySource.head(Part.attribute, attribute.name), missing: missing)
      }
    links = try entity.relationships.filter { !$0.isRetired && reader.model.isHashed($0) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { relationship in
        LinkPart(
          tag: relationship.tag, head: EntitySource.head(Part.links, relationship.name),
          rows: relationship.isInRecord ? nil : try RowCursor(reader, .links, relationship.tag),
          isMirrored: relationship.isMirrored)
      }
    var slots = [Int32](repeating: 0, count: Int(reader.model.nextTag))
    for (index, part) in attributes.enumerated() { slots[Int(part.tag.number)] = Int32(index + 1) }
    for (index, part) in links.enumerated() where part.rows == nil {
      slots[Int(part.tag.number)] = -Int32(index + 1)
    }
    slotByTag = slots
    fields = Array(repeating: nil, count: attributes.count)
    targets = Array(repeating: [], count: links.count)
    objects = try RowCursor(reader, .objects, reader.model.entities[entity.root].tag)
    try settle()
  }

  private static func head(_ kind: UInt8, _ name: String) -> [UInt8] {
    var bytes = [kind]
    bytes.appendText(name)
    return bytes
  }

  mutating func advance() throws {
    try objects.advance()
    try settle()
  }

  /// Moves to the next live object.
  private mutating func settle() throws {
    while let next = objects.id {
      if try objects.copyLiveRecord(to: &record, of: recordTag) {
        id = next
        return
      }
      try objects.advance()
    }
    id = nil
  }

  /// Appends the encoding of the present object.
  ///
  /// - Throws: `StoreError` if a large value cannot be read.
  mutating func write(to output: inout StateHashOutput) throws {
    guard let id else { return }
    output.bytes.append(id)
    output.bytes += entityName
    try EntitySource.readRecord(record, slotByTag, &fields, &targets)
    for (index, part) in attributes.enumerated() {
      guard let field = fields[index] else {
        if !part.missing.isEmpty {
          output.bytes += part.head
          output.bytes += part.missing
        }
        continue
      }
      guard field.form != .null else { continue }
      output.bytes += part.head
      let payload = record.rawSpan.extracting(field.payload)
      if field.form == .large {
        try append(large: payload, to: &output)
      } else {
        try EntitySource.append(field.form, payload, to: &output.bytes)
      }
    }
    for (index, part) in links.enumerated() {
      if let rows = part.rows { try rows.takeTargets(of: id, into: &targets[index]) }
      if part.isMirrored { targets[index].removeAll { $0 < id } }
      guard !targets[index].isEmpty else { continue }
      output.bytes += part.head
      output.bytes.appendVarint(UInt64(targets[index].count))
      for target in targets[index] { output.bytes.append(target) }
    }
    output.bytes.append(Part.end)
  }

  /// Appends a large value as if it were stored whole.
  private func append(large payload: RawSpan, to output: inout StateHashOutput) throws {
    let value = try LargeValue(payload: payload)
    output.bytes.append(FieldForm.data.rawValue)
    output.bytes.appendVarint(UInt64(value.size))
    do {
      guard let largeValues else { throw LargeValueFault.noSource(value.sha256) }
      try output.append(value, from: largeValues)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Finds the fields of a record and the links in it.
  private static func readRecord(
    _ record: [UInt8], _ slotByTag: [Int32], _ fields: inout [Field?], _ targets: inout [[ObjectID]]
  ) throws {
    for index in fields.indices { fields[index] = nil }
    for index in targets.indices { targets[index].removeAll(keepingCapacity: true) }
    let view = try RecordView(record.rawSpan)
    var reader = FieldReader(view.fields)
    while !reader.isAtEnd {
      let field = try reader.next()
      guard Int(field.tag.number) < slotByTag.count else { continue }
      let slot = Int(slotByTag[Int(field.tag.number)])
      if slot > 0 {
        // The payload is the end of the field, and the unread part is the end of the record.
        let end = record.count - reader.remaining
        fields[slot - 1] = Field(form: field.form, payload: (end - field.payload.byteCount)..<end)
      } else if slot < 0 {
        targets[-slot - 1].append(try field.target())
      }
    }
  }

  /// Appends a value: its form and its bytes.
  private static func append(_ form: FieldForm, _ payload: RawSpan, to output: inout [UInt8]) throws {
    output.append(form.rawValue)
    switch form {
    case .integer:
      var reader = ByteReader(payload)
      output.appendFixed(try reader.zigzag())
    case .text, .data, .decimal: output.appendRun(payload)
    default: output.append(bytes: payload)
    }
  }
}

private extension ResolvedModel {
  /// Whether the links of a relationship are hashed on this side.
  ///
  /// Each link is hashed once: on the ordered side; if neither is, on the to-one side; if both sides are alike, on the
  /// one whose entity and name sort first. Of a relationship that is its own inverse, it is hashed at the lesser object.
  func isHashed(_ relationship: ResolvedRelationship) -> Bool {
    let entity = entities[relationship.entity]
    let target = entities[relationship.target]
    let inverse = target.relationships[relationship.inverse]
    if relationship.isHidden != inverse.isHidden { return inverse.isHidden }
    if relationship.isOrdered != inverse.isOrdered { return relationship.isOrdered }
    if relationship.isMany != inverse.isMany { return !relationship.isMany }
    let (here, there) = ("\(entity.name).\(relationship.name)", "\(target.name).\(inverse.name)")
    return !there.utf8.lexicographicallyPrecedes(here.utf8)
  }
}

/// Iterates over the rows of a table with one tag. It is a class, because cursors cannot be copied.
final class RowCursor {
  private var cursor: MergingCursor
  private let prefix: [UInt8]
  /// The identity after the tag, or `nil` at the end.
  private(set) var id: ObjectID?

  init(_ reader: Reader, _ table: TableName, _ tag: Tag) throws {
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    self.prefix = prefix
    cursor = try reader.makeCursor(in: table)
    try cursor.seek(atOrAfter: prefix.rawSpan)
    try settle()
  }

  func advance() throws {
    try cursor.advance()
    try settle()
  }

  private func settle() throws {
    id = try cursor.leadingID(behind: prefix)
  }

  /// Copies the record of the present row, unless it is a tombstone or of an object of another entity.
  func copyLiveRecord(to record: inout [UInt8], of entity: Tag?) throws -> Bool {
    try cursor.copyLiveRecord(to: &record, of: entity)
  }

  /// Appends the targets of a source, which must not be less than previous sources.
  func takeTargets(of source: ObjectID, into targets: inout [ObjectID]) throws {
    while let id, id <= source {
      if id == source { targets.append(try cursor.trailingID()) }
      try advance()
    }
  }
}

/// Accessors for a cursor stored in a class, from which a span could not be returned.
private extension MergingCursor {
  /// Returns the identity after a prefix of the key, or `nil` at the end or for another prefix.
  func leadingID(behind prefix: [UInt8]) throws -> ObjectID? {
    isValid && hasPrefix(key, prefix.rawSpan) ? try RowKey.leadingID(of: key) : nil
  }

  func trailingID() throws -> ObjectID {
    try RowKey.trailingID(of: key)
  }

  func copyLiveRecord(to record: inout [UInt8], of entity: Tag?) throws -> Bool {
    let view = try RecordView(value)
    guard !view.isTombstone, view.entity == entity else { return false }
    record.removeAll(keepingCapacity: true)
    record.append(bytes: value)
    return true
  }
}
