extension ByteReader {
  @inlinable
  @inline(__always)
  package mutating func objectID() throws(MalformedBytes) -> ObjectID {
    ObjectID(high: try fixed(UInt64.self), low: try fixed(UInt64.self))
  }
}
