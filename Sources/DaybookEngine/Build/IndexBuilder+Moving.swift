import DaybookModel
import LMDB

extension IndexBuilder {
  /// Moves the rows of objects whose entity has another root, deleted objects included.
  ///
  /// - Parameters:
  ///   - moves: The entities with other roots.
  ///   - reader: Reads the rows as they were; `layer` is not among its layers.
  ///   - layer: Receives the changes of the rows.
  ///   - flush: Writes the layer's changes and empties it; the reader must then see them. For a state that consists of
  ///     layers it does nothing.
  /// - Complexity: O(*n* log *n*) for *n* objects in the hierarchies that the entities leave.
  package func move(_ task: Task, reader: Reader, layer: Layer, flush: () throws -> Void) throws {
    let targets = Dictionary(task.moves.map { ($0.entity, $0.to) }, uniquingKeysWith: { first, _ in first })
    for from in Set(task.moves.map(\.from)).sorted() {
      let prefix = RowKey.prefix(of: from)
      var start = prefix
      while try moveRows(tagged: from, to: targets, under: prefix, from: &start, reader, layer) { try flush() }
      try flush()
    }
  }

  /// - Returns: Whether there is more to do, from `start` on, after the layer is flushed.
  private func moveRows(
    tagged from: Tag, to targets: [Tag: Tag], under prefix: [UInt8], from start: inout [UInt8], _ reader: Reader,
    _ layer: Layer
  ) throws -> Bool {
    var cursor = try reader.makeCursor(in: .objects, of: from)
    var isValid = try cursor.seek(atOrAfter: start.rawSpan, limit: .prefix(prefix))
    var key: [UInt8] = []
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      if layer.sizeInBytes > memoryLimit {
        start = [UInt8](cursor.key)
        return true
      }
      let record = try unsafe RecordView(cursor.value.unsafeBytes.unsafeSpan)
      let entity = record.entity ?? from
      if let to = targets[entity] {
        RowKey.object(to, try RowKey.leadingID(of: cursor.key), into: &key)
        layer.objects.put(key, record.bytes(of: entity == to ? nil : entity).rawSpan)
        layer.objects.delete(cursor.key)
      }
      isValid = try cursor.advance()
    }
    return false
  }
}

private extension RecordView {
  /// The same record with another tag of its entity.
  func bytes(of entity: Tag?) -> [UInt8] {
    var bytes: [UInt8] = []
    if isTombstone {
      bytes.appendTombstone(last: stamps.last, of: entity)
    } else {
      bytes.appendRecordHead(stamps, of: entity)
      bytes.append(bytes: fields)
    }
    return bytes
  }
}
