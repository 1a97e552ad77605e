import DaybookModel
import LMDB

/// The state that a context's edits are on top of, as a way back from the head: layers that are extended as the head
/// moves on.
struct EditingBase {
  let position: Position
  let model: ResolvedModel
  let uses: ModelUses
  /// What the head has changed since, inverted; the latest changes lowest.
  private(set) var layers: [Layer]
  /// The head below the layers.
  private(set) var head: Position

  /// - Throws: `StoreError` with the code `notFound` for a position beyond the head, or 0.
  init(_ reader: borrowing StoreReader, at position: Position?) throws {
    let target = position ?? reader.position
    try reader.requirePosition(target)
    guard target > .empty else {
      throw StoreError(
        .notFound, "At position 0 there is nothing to edit: it is the state before the model.",
        advice: "Give a position from 1.")
    }
    let past = try reader.present.rewound(to: target, in: reader.journal)
    self.position = target
    model = past.reader.model
    uses = past.uses
    layers = past.reader.layers
    head = reader.position
  }

  /// Takes in what the head has changed.
  ///
  /// - Throws: `StoreError` with the code `expired` if that is too much to keep.
  mutating func extend(to reader: borrowing StoreReader, limitInBytes limit: Int) throws {
    guard head < reader.position else { return }
    do {
      let below = try reader.present.rewound(to: head, in: reader.journal, limitInBytes: limit)
      layers = below.reader.layers + layers
      head = reader.position
    } catch is SpanTooLarge {
      throw EditingBase.expired(position)
    }
    condense()
    if layers.reduce(0, { $0 + $1.sizeInBytes }) > limit { throw EditingBase.expired(position) }
  }

  func extended(to reader: borrowing StoreReader, limitInBytes limit: Int) throws -> EditingBase {
    var base = self
    try base.extend(to: reader, limitInBytes: limit)
    return base
  }

  private static func expired(_ position: Position) -> StoreError {
    StoreError(
      .expired, "What the context shows is of position \(position), and too much has changed since.",
      advice: "Rebase the context, or save it.")
  }

  /// Puts layers of like size together, so that there are few, and each row is moved seldom.
  private mutating func condense() {
    while layers.count > 1, layers[0].sizeInBytes >= layers[1].sizeInBytes / 2 {
      layers[0].absorb(layers[1])
      layers.remove(at: 1)
    }
  }

  /// Reads the base, over a reader of the head.
  func reader(over present: Reader) -> Reader {
    Reader(snapshot: present.snapshot, tables: present.tables, model: model, layers: layers)
  }
}
