import Daybook
import DaybookModel

/// A projection that counts all commits and events, and chains a digest over them.
///
/// The digest reveals an event that was skipped, applied twice or applied in another order.
package struct ChainProjection: Projection {
  package let name: String
  package let version: Int
  package let mode: ProjectionMode

  package init(_ name: String, mode: ProjectionMode, version: Int = 1) {
    self.name = name
    self.mode = mode
    self.version = version
  }

  package func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {
    try context.increment([], by: 1, in: "commits")
    try mix(ChainProjection.bytes(of: commit.position, commit.isModel ? 255 : 0, .zero), in: context)
  }

  package func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    try context.increment([], by: 1, in: "events")
    let number = try context.increment(event.object.bytes, by: 1, in: "byObject")
    // Rows that are inserted and deleted.
    try context.put(event.object.bytes, ProjectionKey.bytes(of: number), in: "last")
    if event.kind == .deleted { try context.delete(event.object.bytes, in: "last") }
    try mix(
      ChainProjection.bytes(of: event.position, ChainProjection.number(of: event.kind), event.object), in: context)
  }

  private func mix(_ bytes: [UInt8], in context: borrowing ProjectionContext) throws {
    let old = try context.get([], in: "chain") ?? []
    try context.put([], ChainProjection.link(old, bytes), in: "chain")
  }

  private static func link(_ old: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    var input = old
    input.append(contentsOf: bytes)
    var output: [UInt8] = []
    output.append(Digest(hashing: input.rawSpan))
    return output
  }

  private static func bytes(of position: Position, _ kind: UInt8, _ object: ObjectID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(position.number)
    bytes.append(kind)
    bytes.append(object)
    return bytes
  }

  private static func number(of kind: Event.Kind) -> UInt8 {
    UInt8(Event.Kind.allCases.firstIndex(of: kind) ?? 254)
  }

  /// The counts and the digest.
  package struct Figures: Hashable, Sendable {
    package var commits: Int64 = 0
    package var events: Int64 = 0
    package var chain: [UInt8] = []
  }

  /// Computes the expected figures from the journal up to a position.
  package static func expected(of reader: borrowing StoreReader, through last: Position) throws -> Figures {
    var figures = Figures()
    try reader.journal.forEachCommit(from: 1, through: last) { commit in
      figures.commits += 1
      let position = commit.header.position
      figures.chain = link(figures.chain, bytes(of: position, commit.header.isModel ? 255 : 0, .zero))
      if commit.header.isModel { return true }
      var events = commit.events
      while !events.isAtEnd {
        let event = RawEvent(try events.next(), position: position, time: commit.header.time)
        figures.events += 1
        figures.chain = link(figures.chain, bytes(of: position, number(of: event.kind), event.object))
      }
      return true
    }
    return figures
  }

  /// Reads the figures from the rows.
  package static func figures(_ reader: borrowing ProjectionReader) throws -> Figures {
    Figures(
      commits: try reader.integer([], in: "commits"), events: try reader.integer([], in: "events"),
      chain: try reader.get([], in: "chain") ?? [])
  }

  /// Compares the rows of a projection with the journal up to its checkpoint.
  ///
  /// - Returns: The checkpoint.
  /// - Throws: ``Mismatch``.
  @discardableResult
  package static func check(_ name: String, in store: Store) throws -> Position {
    let (figures, position) = try store.projection(name).read { (try Self.figures($0), $0.position) }
    let expected = try store.read { try Self.expected(of: $0, through: position) }
    guard figures == expected else {
      throw Mismatch("\(name) at \(position) has \(figures), and the journal \(expected)")
    }
    return position
  }
}
