import DaybookModel
import DaybookQuery

/// How a request's result is read at an earlier position, from the ordering at the head: what was worked out for it, to
/// be used again while the head stays.
struct PastView {
  let position: Position
  let head: Position
  private let shifted: ShiftedOrdering
  private let layers: [Layer]
  private let model: ResolvedModel

  /// - Throws: `SpanTooLarge`.
  init(
    _ position: Position, of reader: borrowing StoreReader, _ ordering: Ordering, _ watches: WatchTable,
    limitInBytes limit: Int
  ) throws {
    self.position = position
    head = reader.position
    let past = try reader.present.rewound(to: position, in: reader.journal, parts: .derived, limitInBytes: limit)
    var divergence = Divergence()
    divergence.goBack(
      over: try NetChanges(
        ordering.request, watches, from: position.next, through: head, in: reader.journal, old: past.reader,
        new: reader.reader))
    shifted = divergence.applied(to: ordering, in: nil)
    layers = past.reader.layers
    model = past.reader.model
  }

  /// What the view was made from.
  var base: Ordering { shifted.base }

  /// The ordering of the position, read through one of the head.
  func ordering(in present: Reader) -> ShiftedOrdering {
    var ordering = shifted
    ordering.reader = present
    return ordering
  }

  /// The reader of the position, over one of the head.
  func reader(over present: Reader) -> Reader {
    Reader(snapshot: present.snapshot, tables: present.tables, model: model, layers: layers)
  }
}

extension StoreError {
  /// A position that a kept view cannot show any more.
  static func expired(_ position: Position) -> StoreError {
    StoreError(
      .expired, "The result at position \(position) cannot be shown any more: too much has changed since.",
      advice: "Go on to the next difference, or fetch that position anew.")
  }
}
