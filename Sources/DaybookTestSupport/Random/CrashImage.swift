import Daybook

/// The images in the notes of killed writers, from the number of a commit: what a test expects after a kill.
package enum CrashImage {
  /// Returns the bytes of the image that a commit sets, or `nil` if it sets none.
  ///
  /// Half of the commits set an image. One in six sets an image of its own, of up to two pieces; the others share a few, also
  /// with other writers, which may store the same one at the same time.
  package static func bytes(seed: UInt64, number: UInt64) -> [UInt8]? {
    switch number % 6 {
    case 0: LargeSample.bytes(seed << 32 | number, number % 48 == 0 ? (1 << 20) + 1 : 65_537 + Int(number % 100))
    case 2, 4: LargeSample.bytes(number % 30, 65_537 + Int(number % 30))
    default: nil
    }
  }
}
