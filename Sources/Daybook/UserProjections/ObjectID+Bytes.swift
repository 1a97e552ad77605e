import DaybookModel

extension ObjectID {
  /// The sixteen bytes of the identity, in the order in which identities sort.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }
}
