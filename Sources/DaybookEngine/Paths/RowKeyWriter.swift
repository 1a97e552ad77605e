import DaybookModel
import DaybookQuery

/// Writes the sort terms of a row's key: the row of a persisted index, or of a request's result.
///
/// A term that is in the object's own record is copied from the record's bytes to the key, without creating a value. Only
/// the other terms are read from other objects, or as values: far terms, and strings with a collation.
///
/// The fold's writer has the terms of all indexes of a model, and a key has the terms of one index. It writes several
/// keys for each object that is inserted, so the terms are plain values in one list: access to them retains nothing.
package struct RowKeyWriter: Sendable {
  private let model: ResolvedModel
  private var terms: [Term] = []
  /// The terms as the model has them, in the same order.
  private var resolved: [ResolvedTerm] = []

  /// A term in the form for writing.
  private struct Term: Sendable {
    enum Kind: Sendable {
      case id, createdAt, changedAt
      /// An attribute of the object itself whose values sort by their bytes.
      case attribute
      /// A term that is more expensive to find or to compare.
      case other
    }
    let kind: Kind
    /// The tag of the attribute.
    let tag: Tag
    let isDescending: Bool
    let movesNull: Bool
  }

  /// Creates a writer without terms.
  init(_ model: ResolvedModel) {
    self.model = model
  }

  /// Creates a writer with the terms of one order.
  init(_ terms: [ResolvedTerm], in model: ResolvedModel) {
    self.model = model
    resolved = terms
    self.terms = terms.map { RowKeyWriter.term($0, in: model) }
  }

  /// Adds the terms of another order.
  ///
  /// - Returns: The indices by which they are written.
  mutating func add(_ added: [ResolvedTerm]) -> Range<Int> {
    let first = terms.count
    for term in added { terms.append(RowKeyWriter.term(term, in: model)) }
    resolved += added
    return first..<terms.count
  }

  private static func term(_ term: ResolvedTerm, in model: ResolvedModel) -> Term {
    var (kind, tag) = (Term.Kind.other, Tag(0))
    if term.path.steps.isEmpty {
      switch term.path.field {
      case .id: kind = .id
      case .createdAt: kind = .createdAt
      case .changedAt: kind = .changedAt
      case .attribute(let number) where term.path.order == .codepoint:
        (kind, tag) = (.attribute, model.entities[term.path.start].attributes[number].tag)
      case .attribute, .target, .entity, .place: break
      }
    }
    return Term(kind: kind, tag: tag, isDescending: term.isDescending, movesNull: term.movesNull)
  }

  /// Appends terms of a live object; their bytes sort as the object's values do.
  ///
  /// - Parameters:
  ///   - record: The record of the object.
  ///   - source: Has the other objects of far terms.
  @inline(__always)
  func append(
    _ range: Range<Int>, of object: ObjectKey, _ record: RecordView, from source: any PathSource, to key: inout [UInt8]
  ) throws {
    for place in range {
      let term = terms[place]
      let start = key.count
      switch term.kind {
      case .id: SortKey.append(id: object.id, to: &key)
      case .createdAt: SortKey.append(integer: record.stamps.createdAt.microseconds, to: &key)
      case .changedAt: SortKey.append(integer: record.stamps.changedAt.microseconds, to: &key)
      case .attribute:
        if try record.appendSortKey(tag: term.tag, to: &key) { break }
        fallthrough
      case .other: try append(resolved[place].path, of: object, record, from: source, to: &key)
      }
      if term.movesNull, key[start] == 0 { key[start] = SortKey.movedNull }
      if term.isDescending { SortKey.complement(&key, from: start) }
    }
  }

  /// Appends the value of a path of any kind, ascending.
  private func append(
    _ path: ResolvedPath, of object: ObjectKey, _ record: RecordView, from source: any PathSource, to key: inout [UInt8]
  ) throws {
    guard !path.steps.isEmpty else { return try appendField(of: path, object, record, from: source, to: &key) }
    var object = object
    for step in path.steps {
      guard let next = try source.target(of: step.relationship, from: object) else { return key.append(0) }
      object = next
    }
    guard let record = try unsafe source.unsafeRecord(of: object) else { return key.append(0) }
    try appendField(of: path, object, RecordView(record), from: source, to: &key)
  }

  private func appendField(
    of path: ResolvedPath, _ object: ObjectKey, _ record: RecordView, from source: any PathSource, to key: inout [UInt8]
  ) throws {
    let entity = model.entities[object.entity]
    switch path.field {
    case .id: SortKey.append(id: object.id, to: &key)
    case .createdAt: SortKey.append(integer: record.stamps.createdAt.microseconds, to: &key)
    case .changedAt: SortKey.append(integer: record.stamps.changedAt.microseconds, to: &key)
    case .entity:
      let name = model.entities[try model.entity(of: record, in: object.entity)].name
      SortKey.append(.string(name), order: path.order, to: &key)
    case .attribute(let number): try record.appendSortKey(entity.attributes[number], order: path.order, to: &key)
    case .target(let number):
      let reference = RelationshipReference(entity: object.entity, relationship: number)
      let target =
        entity.isKey(relationship: number)
        ? try record.target(of: entity.relationships[number].tag)
        : try source.target(of: reference, from: object)?.id
      if let target {
        SortKey.append(id: target, to: &key)
      } else {
        key.append(0)
      }
    case .place(let number, let parent):
      SortKey.append(try source.place(of: object, in: entity.relationships[number], under: parent), to: &key)
    }
  }

  /// Appends the part of a section, which precedes the terms.
  static func append(_ value: Value, of section: ResolvedSection, to key: inout [UInt8]) {
    if section.hasExplicitOrder {
      let place = Value.integer(Int64(section.place(of: value)))
      SortKey.append(place, isDescending: section.isDescending, to: &key)
    }
    let start = key.count
    SortKey.append(value, order: section.order, to: &key)
    if section.movesNull, value.isNull { key[start] = SortKey.movedNull }
    if section.isMoved(value) { key[start] = SortKey.movedValue }
    if section.isDescending { SortKey.complement(&key, from: start) }
  }
}
