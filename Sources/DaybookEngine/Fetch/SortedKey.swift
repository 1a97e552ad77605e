import DaybookModel
import DaybookQuery
import LMDB

/// The place of a row in a result: bytes that compare as rows do.
///
/// They begin with the section and end with the identity. Unlike the keys of an index they are never cut, so
/// they order all rows.
package struct SortedKey: Hashable {
  let bytes: [UInt8]
  /// The number of bytes at the start that belong to the section; 0 without sections.
  let sectionSize: Int

  /// The common prefix of the keys of all rows in the section, and only of these.
  var section: [UInt8] { Array(bytes.prefix(sectionSize)) }

  var id: ObjectID {
    get throws { try RowKey.trailingID(ofSorted: bytes) }
  }

  package static func == (a: SortedKey, b: SortedKey) -> Bool { a.bytes == b.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension SortedKey: Comparable {
  package static func < (a: SortedKey, b: SortedKey) -> Bool {
    compareBytes(a.bytes.rawSpan, b.bytes.rawSpan) < 0
  }
}

/// Makes the sorted keys of a request's rows from their records, one after the other.
///
/// The section keys of link targets are cached, since many rows share few targets: so a maker serves one state of the
/// store.
package struct SortedKeyMaker {
  private let request: ResolvedRequest
  /// The objects beyond a row's record.
  private let others: any PathSource
  /// The source of what is not copied from a row's record.
  var source: ReaderSource
  private let writer: RowKeyWriter
  /// The indices of the terms after the section's.
  private let terms: Range<Int>
  /// The to-one relationship in the row's record that leads to the section, or `nil` without such a relationship.
  private let sectionLink: Tag?
  private var sectionKeys: [ObjectID?: [UInt8]] = [:]
  /// Whether the request has sections; a copy of its section for each row would take longer than most keys.
  private let hasSections: Bool
  /// The row's attribute from which the section is made, or `nil` without such an attribute.
  private let sectionAttribute: ResolvedAttribute?

  package init(_ request: ResolvedRequest, reader: Reader) {
    self.init(request, ReaderSource(reader: reader), others: reader, in: reader.model)
  }

  /// Makes the maker for a request that reads nothing but its rows' records, in any state of a model.
  ///
  /// - Precondition: The request's ``RequestDependents/readOnlyOwnRecords``.
  init(_ request: ResolvedRequest, readingRecordsOf model: ResolvedModel) {
    self.init(request, ReaderSource(recordsOf: model), others: NoObjects.shared, in: model)
  }

  private init(
    _ request: ResolvedRequest, _ source: ReaderSource, others: any PathSource, in model: ResolvedModel
  ) {
    self.request = request
    hasSections = request.section != nil
    self.source = source
    self.others = others
    let entity = model.entities[request.entity]
    writer = RowKeyWriter(request.terms, in: model)
    terms = (request.section == nil ? 0 : 1)..<request.terms.count
    if let section = request.section, section.path.steps.isEmpty, case .attribute(let number) = section.path.field {
      sectionAttribute = entity.attributes[number]
    } else {
      sectionAttribute = nil
    }
    sectionLink = request.section.flatMap { section in
      guard section.path.steps.count == 1 else { return nil }
      let relationship = model[section.path.steps[0].relationship]
      return relationship.isInRecord ? relationship.tag : nil
    }
  }

  /// Appends the key of a row.
  ///
  /// - Returns: The size of the section's part at the start; 0 without sections.
  mutating func append(_ id: ObjectID, _ record: RecordView, to key: inout [UInt8]) throws -> Int {
    let object = ObjectKey(entity: request.entity, id: id)
    let start = key.count
    if hasSections { try appendSection(of: object, record, to: &key) }
    let sectionSize = key.count - start
    try writer.append(terms, of: object, record, from: others, to: &key)
    key.append(id)
    return sectionSize
  }

  private mutating func appendSection(
    of object: ObjectKey, _ record: RecordView, to key: inout [UInt8]
  ) throws {
    let target: ObjectID?
    if let sectionLink {
      target = try FieldReader.field(sectionLink, in: record.fields)?.target()
      if let known = sectionKeys[target] { return key.append(contentsOf: known) }
    } else {
      target = nil
    }
    guard let section = request.section else { return }
    if let sectionAttribute {
      let value = section.value(of: try record.value(of: sectionAttribute))
      return RowKeyWriter.append(value, of: section, to: &key)
    }
    guard sectionLink != nil else {
      return RowKeyWriter.append(try value(of: section, of: object), of: section, to: &key)
    }
    var made: [UInt8] = []
    RowKeyWriter.append(try value(of: section, of: object), of: section, to: &made)
    sectionKeys[target] = made
    key.append(contentsOf: made)
  }

  private mutating func value(of section: ResolvedSection, of object: ObjectKey) throws -> Value {
    section.value(of: try section.path.value(of: object, in: &source))
  }

  /// Returns the name of a row's section; "" without sections.
  mutating func sectionName(of id: ObjectID) throws -> String {
    guard let section = request.section else { return "" }
    return section.name(of: try value(of: section, of: ObjectKey(entity: request.entity, id: id)))
  }

  /// Returns the sorted key of a row.
  mutating func key(of id: ObjectID, _ record: RecordView) throws -> SortedKey {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    let sectionSize = try append(id, record, to: &bytes)
    return SortedKey(bytes: bytes, sectionSize: sectionSize)
  }
}
