import DaybookModel
import DaybookQuery

/// Makes the sorted keys of a request's rows from their records, one after the other.
///
/// A term that is an attribute of the row itself is copied from the record's bytes to the key; only other terms are
/// read as values. The section keys of link targets are cached, since many rows share few targets: so a maker serves
/// one state of the store.
package struct SortedKeyMaker {
  private let request: ResolvedRequest
  private let reader: Reader
  private var source: ReaderSource
  private let terms: [Term]
  /// The row's own to-one relationship that leads to the section, or `nil` if there is none.
  private let sectionLink: Tag?
  private var sectionKeys: [ObjectID?: [UInt8]] = [:]
  /// The row's attribute from which the section is made, or `nil` if there is none.
  private let sectionAttribute: ResolvedAttribute?

  private struct Term {
    /// The attribute's tag in the row's record, or `nil`.
    ///
    /// It is `nil` if the term is not in the record, or if its text has a collation.
    let tag: Tag?
    let isDescending: Bool
  }

  package init(_ request: ResolvedRequest, reader: Reader) {
    self.request = request
    self.reader = reader
    source = ReaderSource(reader: reader)
    let entity = reader.model.entities[request.entity]
    terms = request.terms.map { term in
      let path = term.path
      guard path.steps.isEmpty, term.order == .codepoint, case .attribute(let number) = path.field else {
        return Term(tag: nil, isDescending: term.isDescending)
      }
      return Term(tag: entity.attributes[number].tag, isDescending: term.isDescending)
    }
    if let section = request.section, section.path.steps.isEmpty, case .attribute(let number) = section.path.field {
      sectionAttribute = entity.attributes[number]
    } else {
      sectionAttribute = nil
    }
    sectionLink = request.section.flatMap { section in
      guard section.path.steps.count == 1 else { return nil }
      let relationship = reader.model[section.path.steps[0].relationship]
      return relationship.isOwner && !relationship.isMany ? relationship.tag : nil
    }
  }

  /// Appends the key of a row.
  ///
  /// - Returns: The size of the section's part at the start; 0 without sections.
  mutating func append(_ id: ObjectID, _ record: RecordView, to key: inout [UInt8]) throws -> Int {
    let object = ObjectKey(entity: request.entity, id: id)
    let start = key.count
    var sectionSize = 0
    for index in terms.indices {
      if index == 0, request.section != nil {
        try appendSection(of: object, record, to: &key)
        sectionSize = key.count - start
        continue
      }
      let termStart = key.count
      if let tag = terms[index].tag, try record.appendSortKey(tag: tag, to: &key) {
        if terms[index].isDescending { SortKey.complement(&key, from: termStart) }
      } else {
        let value = try request.terms[index].path.value(of: object, in: &source)
        SortKey.append(
          value, order: request.terms[index].order, isDescending: terms[index].isDescending, to: &key)
      }
    }
    key.append(id)
    return sectionSize
  }

  private mutating func appendSection(of object: ObjectKey, _ record: RecordView, to key: inout [UInt8]) throws {
    if let sectionAttribute, let section = request.section {
      return request.appendSectionKey(of: section.value(of: try record.value(of: sectionAttribute)), to: &key)
    }
    guard let sectionLink else { return request.appendSectionKey(of: try sectionValue(of: object), to: &key) }
    let target = try FieldReader.field(sectionLink, in: record.fields)?.target()
    if let known = sectionKeys[target] { return key.append(contentsOf: known) }
    var made: [UInt8] = []
    request.appendSectionKey(of: try sectionValue(of: object), to: &made)
    sectionKeys[target] = made
    key.append(contentsOf: made)
  }

  private mutating func sectionValue(of object: ObjectKey) throws -> Value {
    let raw = try request.terms[0].path.value(of: object, in: &source)
    return request.section?.value(of: raw) ?? raw
  }

  /// Returns the name of a row's section; "" without sections.
  mutating func sectionName(of id: ObjectID) throws -> String {
    guard let section = request.section else { return "" }
    return section.name(of: try sectionValue(of: ObjectKey(entity: request.entity, id: id)))
  }

  /// Returns the sorted key of a row.
  mutating func key(of id: ObjectID, _ record: RecordView) throws -> SortedKey {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    let sectionSize = try append(id, record, to: &bytes)
    return SortedKey(bytes: bytes, sectionSize: sectionSize)
  }
}
