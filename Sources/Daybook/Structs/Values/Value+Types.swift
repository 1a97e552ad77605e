import DaybookModel

extension Value {
  /// Makes the stored form of a Swift value, for verbs and rows without types.
  ///
  ///     try tx.set(id, ["due": Value(date), "course": Value(Course.dessert)])
  ///
  /// - Throws: `StoreError` with the code `badValue` if the value cannot be stored.
  public init(_ value: some AttributeValue) throws { self = try value._storedValue() }

  /// Returns the Swift value of a type that this stored value is.
  ///
  ///     let due = try object["due"].decoded(as: Date?.self)
  ///
  /// A large value is read from the store.
  ///
  /// - Throws: `StoreError`: `badValue` if the value does not fit the type; `closed` or `damaged` if a large value cannot be
  ///   read.
  public func decoded<Decoded: AttributeValue>(as type: Decoded.Type) throws -> Decoded {
    try Decoded(_storedValue: bytesLoaded())
  }
}
