import Foundation

/// Returns whether a key is before another one in the order of bytes.
///
/// The collections' own comparison takes most of the time of a test that is not optimised.
public func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let order = memcmp(left, right, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}
