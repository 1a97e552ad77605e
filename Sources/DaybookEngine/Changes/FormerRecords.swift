import DaybookModel
import LMDB

/// The records of a request's rows before one commit, found by undoing the events of these rows alone.
///
/// It serves requests whose rows depend on their own records and on nothing else
/// (``RequestDependents/readOnlyOwnRecords``). Folding the whole commit back would touch the other objects too, and
/// build the layer that a reader needs.
@safe
struct FormerRecords {
  private let arena = ByteArena()
  /// The records of the rows that the commit touched; none if there was no record.
  private var records: [ObjectID: UnsafeBytes] = unsafe [:]

  /// Undoes the events of the objects of an entity's hierarchy in a commit.
  ///
  /// - Parameters:
  ///   - body: The commit's events.
  ///   - reader: Reads the state after the commit.
  ///   - limit: The largest size of the records, in bytes.
  /// - Throws: `SpanTooLarge`; `StoreError` with the code `damaged` if the commit does not fit the state.
  init(
    ofEntity entity: Int, before header: CommitHeader, _ body: RawSpan, in reader: Reader, limitInBytes limit: Int
  ) throws {
    let model = reader.model
    let root = model.entities[entity].root
    let moment = Fold.Moment(position: header.position, time: header.time, direction: .backward)
    var (record, field): ([UInt8], [UInt8]) = ([], [])
    var events = EventReader(body, position: header.position, time: header.time)
    do {
      try events.forEachReversed { event in
        guard event.kind != .unknown, event.kind != .recorded, let number = model.entity(tagged: event.entity),
          model.entities[number].root == root
        else { return }
        let key = ObjectKey(entity: root, id: event.object)
        let current = try unsafe records[event.object] ?? reader.unsafeRecord(of: key)?.unsafeBytes ?? .none
        var hasField = true
        if let link = event.link, let reference = model.relationship(tagged: link.relationship) {
          hasField = model[reference].isInRecord
        }
        record.removeAll(keepingCapacity: true)
        try unsafe record.appendRecord(
          from: current.unsafeSpan, by: event, of: model.recordTag(of: number), at: moment, hasField: hasField,
          field: &field)
        unsafe records[event.object] = unsafe arena.store(record)
        if arena.sizeInBytes > limit { throw SpanTooLarge() }
      }
    } catch let fault as ProjectionFault {
      throw StoreError(contradiction: fault, at: header.position, .backward)
    }
  }

  /// Returns the record of an object before the commit, or `nil` if the commit did not touch the object.
  @unsafe
  func unsafeRecord(of id: ObjectID) -> UnsafeBytes? { unsafe records[id] }
}
