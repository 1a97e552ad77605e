import DaybookModel

/// The facts about a projection that outlive its rows: a row in the journal's environment.
///
/// The rows of a projection are disposable. The facts that a mail was sent, or that an event is to be skipped, are not.
package struct ProjectionLedger: Hashable {
  /// The position up to which the effects of events were performed or never will be.
  package var effectsThrough: Position
  /// The events that are skipped permanently.
  package var skipped: [Skip] = []

  /// An event that one version of the projection skips; a later version may apply it.
  package struct Skip: Hashable {
    let version: UInt64
    package let address: EventAddress

    package init(version: UInt64, address: EventAddress) {
      self.version = version
      self.address = address
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
      skipped.append(Skip(version: try reader.varint(), address: try EventAddress(reading: &reader)))
    }
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(ProjectionLedger.format)
    bytes.appendFixed(effectsThrough.number)
    for skip in skipped {
      bytes.appendVarint(skip.version)
      bytes.append(contentsOf: skip.address.bytes)
    }
    return bytes
  }

  package func skips(_ address: EventAddress, version: UInt64) -> Bool {
    !skipped.isEmpty && skipped.contains(Skip(version: version, address: address))
  }

  /// Forgets what is about commits after a position, which are not in the journal any more.
  ///
  /// Other commits may take their positions, with effects of their own.
  package mutating func forget(after last: Position) {
    effectsThrough = min(effectsThrough, last)
    skipped.removeAll { $0.address.position > last }
  }

  private static let keyPrefix = "projection "

  static func key(of name: String) -> [UInt8] { Array((keyPrefix + name).utf8) }

  /// Returns the projection whose ledger a row of the journal is, or `nil` if the row is another one.
  static func name(in key: [UInt8]) -> String? {
    let text = String(decoding: key, as: UTF8.self)
    return text.hasPrefix(keyPrefix) ? String(text.dropFirst(keyPrefix.count)) : nil
  }
}
