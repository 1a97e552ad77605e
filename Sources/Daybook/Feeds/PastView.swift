import DaybookEngine
import DaybookModel
import DaybookQuery

/// A request's result at an earlier position, computed from the ordering at the head.
///
/// It can be used again until the head changes.
struct PastView {
  let position: Position
  let head: Position
  private let shifted: ShiftedOrdering
  private let layers: [Layer]
  private let model: ResolvedModel

  /// - Throws: `SpanTooLarge`.
  init(
    _ position: Position, of reader: borrowing StoreReader, _ ordering: Ordering, _ dependents: RequestDependents,
    limitInBytes limit: Int
  ) throws {
    self.position = position
    head = reader.position
    let past = try reader.present.rewound(to: position, in: reader.journal, parts: .derived, limitInBytes: limit)
    var divergence = Divergence()
    divergence.goBack(
      over: try NetChanges(
        ordering.request, dependents, from: position.next, through: head, in: reader.journal, old: past.reader,
        new: reader.reader))
    shifted = divergence.applied(to: ordering, in: nil)
    layers = past.reader.layers
    model = past.reader.model
  }

  /// The ordering from which the view was computed.
  var base: Ordering { shifted.base }

  /// Returns the ordering at the view's position, read through a reader of the head.
  func ordering(in present: Reader) -> ShiftedOrdering {
    var ordering = shifted
    ordering.reader = present
    return ordering
  }

  /// Returns a reader of the view's position, on top of a reader of the head.
  func reader(over present: Reader) -> Reader {
    Reader(snapshot: present.snapshot, tables: present.tables, model: model, layers: layers)
  }
}
