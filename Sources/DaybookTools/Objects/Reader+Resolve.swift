import Daybook
import DaybookEngine
import DaybookModel
import LMDB

extension Reader {
  /// Searches the identities of entities and their descendants for a text.
  ///
  /// - Parameter names: The names of the entities; `nil` for all entities.
  func search(_ search: inout IdentitySearch, of names: [String]? = nil, includesDeleted: Bool) throws {
    for root in model.roots {
      let wanted = model.members(of: root).filter { member in
        names.map { names in model.entities[member].lineage.contains { names.contains(model.entities[$0].name) } }
          ?? true
      }
      if wanted.isEmpty { continue }
      try forEachIdentity(of: root, includesDeleted: includesDeleted) { id, entity in
        if wanted.contains(entity) { search.look(at: id, of: model.entities[entity].name) }
      }
    }
  }

  /// Calls `body` with the identities of the objects of a root's hierarchy, rising, and the numbers of their entities.
  private func forEachIdentity(
    of root: Int, includesDeleted: Bool, _ body: (ObjectID, _ entity: Int) -> Void
  ) throws {
    let tag = model.entities[root].tag
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    var cursor = try makeCursor(in: .objects, of: tag)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan)
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      if let entity = try entity(of: cursor.value, in: root, includesDeleted: includesDeleted) {
        body(try RowKey.leadingID(of: cursor.key), entity)
      }
      isValid = try cursor.advance()
    }
  }

  /// Returns the number of the entity of a record, or `nil` for a deleted object that does not count.
  private func entity(of bytes: RawSpan, in root: Int, includesDeleted: Bool) throws -> Int? {
    let record = try RecordView(bytes)
    return record.isTombstone && !includesDeleted ? nil : try model.entity(of: record, in: root)
  }
}

/// Searches for the identities that contain a text.
struct IdentitySearch {
  private let part: String
  private let pattern: [UInt8]
  private var printed = Found()
  private var digits = Found()
  private var text: [UInt8] = []

  /// The matching objects.
  private struct Found {
    var count = 0
    var first: [(id: ObjectID, entity: String)] = []

    /// The most candidates that an error lists.
    static let maximumListed = 10

    mutating func add(_ id: ObjectID, _ entity: String) {
      // A deleted identity can only be inserted again in its own entity, so no object is found twice.
      count += 1
      if first.count < Found.maximumListed { first.append((id, entity)) }
    }
  }

  init(_ part: String) throws {
    self.part = part
    pattern = Array(part.lowercased().utf8)
    guard !pattern.isEmpty, pattern.allSatisfy({ hexadecimalDigit($0) != nil || $0 == UInt8(ascii: "-") }) else {
      throw StoreError(
        .notFound, "“\(part)” is not a part of an identity.", advice: "Give a UUID, or some of its hexadecimal digits.")
    }
  }

  mutating func look(at id: ObjectID, of entity: String) {
    text.removeAll(keepingCapacity: true)
    IdentitySearch.write(id, to: &text)
    if IdentitySearch.contains(text, pattern) { return printed.add(id, entity) }
    guard printed.count == 0 else { return }
    text.removeAll { $0 == UInt8(ascii: "-") }
    if IdentitySearch.contains(text, pattern) { digits.add(id, entity) }
  }

  var isEmpty: Bool { printed.count == 0 && digits.count == 0 }

  func result() throws -> ObjectID {
    let found = printed.count > 0 ? printed : digits
    guard let first = found.first.first else {
      throw StoreError(.notFound, "No object has an identity with “\(part)” in it.")
    }
    guard found.count > 1 else { return first.id }
    var candidates = found.first.map { "\($0.id) (\($0.entity))" }
    if found.count > candidates.count { candidates.append("and \(found.count - candidates.count) more") }
    throw StoreError(
      .ambiguous, "“\(part)” is part of \(found.count) identities:\n  \(candidates.joined(separator: "\n  "))",
      advice: "Give more digits.")
  }

  private static func write(_ id: ObjectID, to text: inout [UInt8]) {
    for (index, word) in [id.high, id.low].enumerated() {
      for shift in stride(from: 60, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        let isGap = index == 0 ? shift == 32 || shift == 16 || shift == 0 : shift == 48
        if isGap { text.append(UInt8(ascii: "-")) }
      }
    }
  }

  private static func contains(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard pattern.count <= text.count else { return false }
    for start in 0...(text.count - pattern.count) {
      var offset = 0
      while offset < pattern.count, text[start + offset] == pattern[offset] { offset += 1 }
      if offset == pattern.count { return true }
    }
    return false
  }
}
