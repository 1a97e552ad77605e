import DaybookModel
import LMDB

extension IndexBuilder {
  /// Takes the values of derived attributes that the model has removed out of the records.
  ///
  /// A rebuild makes derived values for the attributes that there are in the end, and must give the same bytes.
  func dropDerived(_ tags: Set<Tag>, reader: Reader, layer: Layer, flush: () throws -> Void) throws {
    for entity in catalog.model.entities where !entity.isRetired {
      let gone = tags.intersection(entity.attributes.map(\.tag))
      guard !gone.isEmpty else { continue }
      var row: [UInt8] = []
      var bytes: [UInt8] = []
      try forEachObject(of: entity, reader, layer, flush) { key, record in
        bytes.removeAll(keepingCapacity: true)
        bytes.appendRecordHead(record.stamps)
        var fields = FieldReader(record.fields)
        while !fields.isAtEnd {
          let field = try fields.next()
          if !gone.contains(field.tag) { bytes.append(bytes: field.whole) }
        }
        RowKey.object(entity.tag, key.id, into: &row)
        layer.objects.put(row.span.bytes, bytes.span.bytes)
      }
      try flush()
    }
  }
}
