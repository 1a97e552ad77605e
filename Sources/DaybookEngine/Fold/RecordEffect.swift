import DaybookModel

/// What an event does to the record of its subject.
///
/// ``Fold`` applies it, and ``FormerRecords`` undoes it for single objects. All other effects of an event are the fold's.
extension [UInt8] {
  /// Appends the record of an event's subject after the event, or before it if the event is undone.
  ///
  /// Appends nothing if there is no record then.
  ///
  /// - Parameters:
  ///   - event: An event of a known kind.
  ///   - entity: The tag of the object's entity, unless it is the root of its hierarchy.
  ///   - current: The record before the event, or after it if the event is undone; empty if it does not exist.
  ///   - hasField: Whether the link of such an event is a field of the record; otherwise it is in rows alone.
  ///   - field: A buffer for a field.
  /// - Throws: `ProjectionFault` or `MalformedBytes` if the event does not fit the record.
  mutating func appendRecord(
    from current: RawSpan, by event: EventView, of entity: Tag?, at moment: Fold.Moment, hasField: Bool = true,
    field: inout [UInt8]
  ) throws {
    switch event.kind {
    case .inserted where moment.isForward:
      appendRecordHead(
        Stamps(
          created: moment.position, createdAt: moment.time, changed: moment.position, changedAt: moment.time,
          last: moment.position), of: entity)
      append(bytes: event.fields)
    case .inserted:
      if let previous = event.previous { appendTombstone(last: previous, of: entity) }
    case .deleted where moment.isForward: appendTombstone(last: moment.position, of: entity)
    case .deleted:
      guard let former = event.former else { throw ProjectionFault("a deletion lacks the former times of its object") }
      appendRecordHead(former, of: entity)
      append(bytes: event.fields)
    case .renamed, .set:
      let record = try RecordView(current)
      appendRecordHead(try record.stamps(after: event, at: moment), of: entity)
      try appendFields(record.fields, applying: event.fields, side: moment.isForward ? .new : .old)
    case .related, .unrelated:
      let record = try RecordView(current)
      appendRecordHead(try record.stamps(after: event, at: moment), of: entity)
      if !hasField { return append(bytes: record.fields) }
      guard let link = event.link else { throw MalformedBytes(offset: 0, expected: "a link") }
      field.removeAll(keepingCapacity: true)
      if let target = moment.isForward ? link.to : link.from {
        let orderKey = moment.isForward ? link.newOrder : link.oldOrder
        field.appendLink(link.relationship, target: target, orderKey: orderKey.isEmpty ? nil : orderKey)
      }
      try appendFields(record.fields, replacing: link.relationship, withField: field)
    case .recorded, .unknown: append(bytes: current)
    }
  }

  /// Appends fields with the field of one tag replaced by a field in an array, or removed if the array is empty.
  ///
  /// It is never inlined: a span of an array that the caller holds retains the array there, whereas here the array is
  /// borrowed.
  @inline(never)
  private mutating func appendFields(_ base: RawSpan, replacing tag: Tag, withField field: [UInt8]) throws {
    try appendFields(base, replacing: tag, with: field.isEmpty ? nil : field.rawSpan)
  }
}

private extension RecordView {
  /// Returns the stamps of an event's subject after the event, or before it if the event is undone.
  func stamps(after event: EventView, at moment: Fold.Moment) throws -> Stamps {
    var stamps = stamps
    if moment.isForward {
      stamps.changed = moment.position
      stamps.changedAt = moment.time
      stamps.last = moment.position
    } else {
      guard let former = event.former else { throw ProjectionFault("an event lacks the former times of its object") }
      stamps.changed = former.changed
      stamps.changedAt = former.changedAt
      stamps.last = event.previous ?? stamps.created
    }
    return stamps
  }
}
