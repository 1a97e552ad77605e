import DaybookModel
import LMDB

extension IndexBuilder {
  /// Removes the rows and fields that an earlier model has and the present one lacks.
  ///
  /// - Parameters:
  ///   - gone: The indexes, constraints, derived attributes and groups to remove.
  ///   - old: The earlier model.
  ///   - reader: Reads the tables; `layer` is its highest layer.
  ///   - flush: Writes the layer's changes and empties it; the reader must then see them.
  package func drop(
    _ gone: Task, of old: ResolvedModel, reader: Reader, layer: Layer, flush: () throws -> Void
  ) throws {
    for tag in gone.indexes { try dropRows(of: tag, in: .indexes, reader, layer, flush) }
    for tag in gone.constraints { try dropRows(of: tag, in: .unique, reader, layer, flush) }
    for (table, tag) in gone.groups.flatMap(\.places) { try dropRows(of: tag, in: table, reader, layer, flush) }
    if !gone.derived.isEmpty { try dropFields(gone.derived, of: old, reader, layer, flush) }
  }

  /// The size of the layer, in bytes, at which deletions are flushed.
  private static let maximumDeletionSizeInBytes = 64 << 20

  private func dropRows(
    of tag: Tag, in table: TableName, _ reader: Reader, _ layer: Layer, _ flush: () throws -> Void
  ) throws {
    var prefix: [UInt8] = []
    prefix.appendFixed(tag.number)
    while true {
      do {
        var cursor = try reader.snapshot.makeCursor(in: reader.tables[table])
        var isValid = try cursor.seek(atOrAfter: prefix.rawSpan)
        while isValid, hasPrefix(cursor.key, prefix.rawSpan),
          layer.sizeInBytes < IndexBuilder.maximumDeletionSizeInBytes
        {
          layer[table].delete(cursor.key)
          isValid = try cursor.moveToNext()
        }
      }
      guard !layer[table].isEmpty else { return }
      try flush()
    }
  }

  /// Removes derived values from the records: they are not updated, and a rebuild omits them.
  private func dropFields(
    _ tags: Set<Tag>, of model: ResolvedModel, _ reader: Reader, _ layer: Layer, _ flush: () throws -> Void
  ) throws {
    for root in model.roots {
      let entity = model.entities[root]
      guard entity.attributes.contains(where: { tags.contains($0.tag) }) else { continue }
      var prefix: [UInt8] = []
      prefix.appendFixed(entity.tag.number)
      var start = prefix
      while try dropFields(tags, under: prefix, from: &start, reader, layer) { try flush() }
      try flush()
    }
  }

  /// - Returns: Whether there is more to do, from `start` on, after the layer is flushed.
  private func dropFields(
    _ tags: Set<Tag>, under prefix: [UInt8], from start: inout [UInt8], _ reader: Reader, _ layer: Layer
  ) throws -> Bool {
    var cursor = try reader.snapshot.makeCursor(in: reader.tables.objects)
    var isValid = try cursor.seek(atOrAfter: start.rawSpan)
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      if layer.sizeInBytes > memoryLimit {
        start = [UInt8](cursor.key)
        return true
      }
      let record = try unsafe RecordView(cursor.value.unsafeBytes.unsafeSpan)
      if !record.isTombstone, let changed = try record.keepingFields(where: { !tags.contains($0) }) {
        layer.objects.put(cursor.key, changed.rawSpan)
      }
      isValid = try cursor.moveToNext()
    }
    return false
  }
}
