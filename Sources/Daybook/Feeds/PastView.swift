import DaybookEngine
import DaybookModel
import DaybookQuery

/// A request's result at an earlier position, computed from the rows at the head.
///
/// It can be used again until the head changes.
struct PastView {
  let position: Position
  let head: Position
  /// The rows, over the base at the head.
  let ranked: RankedKeys
  private let layers: [Layer]
  private let model: ResolvedModel

  /// - Throws: `SpanTooLarge`.
  init(
    _ position: Position, of reader: borrowing StoreReader, _ base: RankBase, _ dependents: RequestDependents,
    limitInBytes limit: Int
  ) throws {
    self.position = position
    head = reader.position
    let past = try reader.present.rewound(to: position, in: reader.journal, parts: .derived, limitInBytes: limit)
    let changes = try NetChanges(
      base.request, dependents, from: position.next, through: head, in: reader.journal, old: past.reader,
      new: reader.reader)
    ranked = RankedKeys(base).applying(changes.movesBack)
    layers = past.reader.layers
    model = past.reader.model
  }

  /// Returns a reader of the view's position, on top of a reader of the head.
  func reader(over present: Reader) -> Reader {
    Reader(snapshot: present.snapshot, tables: present.tables, model: model, layers: layers)
  }
}
