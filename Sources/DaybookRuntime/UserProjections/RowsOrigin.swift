import DaybookEngine
import DaybookModel

/// What the rows of a projection at a position follow from, beside the journal.
///
/// The part alone does not determine rows: it begins again when the projections are lost, and the code or the commits
/// that are left out may have changed since.
struct RowsOrigin: Hashable, Sendable {
  let part: ScopeStamp.Part
  /// See ``ProjectionRecord/Instance/identity``.
  let identity: UInt64
  let entities: DerivedModel
}

extension [RowsOrigin] {
  /// Returns a digest of what the rows of a projection follow from: they, and the rows of all projections that it reads,
  /// through which its indexes lead.
  func digest(of projection: String) -> Digest {
    let names = map(\.entities).closure(over: [projection])
    var bytes: [UInt8] = []
    bytes.appendText(projection)
    for origin in sorted(by: { $0.part.projection < $1.part.projection })
    where names.contains(origin.part.projection) {
      bytes.appendText(origin.part.projection)
      bytes.appendVarint(origin.part.version)
      bytes.appendVarint(origin.part.fold)
      bytes.appendFixed(origin.identity)
      bytes.appendText(origin.entities.text)
    }
    return Digest(hashing: bytes.rawSpan)
  }
}
