import DaybookModel

/// The facts about a projection that outlive its rows: a row in the journal's environment.
///
/// The rows of a projection are disposable. The facts that a mail was sent, or that a commit is to be skipped, are not.
package struct ProjectionLedger: Hashable {
  /// The position up to which the effects of commits were performed or never will be.
  package var effectsThrough: Position
  /// The commits that are skipped permanently.
  package var skipped: [Skip] = []

  /// A commit that one version of the projection skips; a later version may apply it.
  package struct Skip: Hashable {
    let version: UInt64
    package let position: Position

    package init(version: UInt64, position: Position) {
      self.version = version
      self.position = position
    }
  }

  private static let format: UInt64 = 1

  package init(effectsThrough: Position) {
    self.effectsThrough = effectsThrough
  }

  package init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes.rawSpan)
    guard try reader.varint() == ProjectionLedger.format else {
      throw StoreError(.newerFormat, "A newer version of Daybook wrote what became of a projection’s effects.")
    }
    effectsThrough = Position(try reader.fixed(UInt64.self))
    while !reader.isAtEnd {
      let skip = Skip(version: try reader.varint(), position: Position(try reader.fixed(UInt64.self)))
      // Another number is of a single event, which rows that were bytes by key left out.
      if try reader.fixed(UInt32.self) == 0 { skipped.append(skip) }
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(ProjectionLedger.format)
    bytes.appendFixed(effectsThrough.number)
    for skip in skipped {
      bytes.appendVarint(skip.version)
      bytes.appendFixed(skip.position.number)
      bytes.appendFixed(UInt32(0))
    }
    return bytes
  }

  package func skips(_ position: Position, version: UInt64) -> Bool {
    !skipped.isEmpty && skipped.contains(Skip(version: version, position: position))
  }

  /// Forgets what is about commits after a position, which are not in the journal any more.
  ///
  /// Other commits may take their positions, with effects of their own.
  package mutating func forget(after last: Position) {
    effectsThrough = min(effectsThrough, last)
    skipped.removeAll { $0.position > last }
  }

  private static let keyPrefix = "projection "

  static func key(of name: String) -> [UInt8] { Array((keyPrefix + name).utf8) }

  /// Returns the projection whose ledger a row of the journal is, or `nil` if the row is another one.
  static func name(in key: [UInt8]) -> String? {
    let text = String(decoding: key, as: UTF8.self)
    return text.hasPrefix(keyPrefix) ? String(text.dropFirst(keyPrefix.count)) : nil
  }
}
