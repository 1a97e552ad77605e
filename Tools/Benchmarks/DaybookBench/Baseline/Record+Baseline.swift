import CBaseline
import Foundation

extension baseline_record {
  init(_ record: Record) {
    self.init()
    id = record.id.uuid
    category_id = record.categoryID.uuid
    copyName(record.name, to: &name)
    timestamp = record.timestamp
    is_done = record.isDone
  }
}

extension baseline_update {
  init(_ update: Update) {
    self.init()
    id = update.id.uuid
    copyName(update.name, to: &name)
    timestamp = update.timestamp
  }
}

extension baseline_place {
  /// The place of a record's own row.
  init(_ record: Record) {
    self.init()
    timestamp = record.timestamp
    copyName(record.name, to: &name)
    id = record.id.uuid
  }
}

private func copyName<Field>(_ name: String, to field: inout Field) {
  withUnsafeMutableBytes(of: &field) { bytes in
    precondition(name.utf8.count == bytes.count, "A name of the workload has \(bytes.count) bytes.")
    bytes.copyBytes(from: name.utf8)
  }
}
