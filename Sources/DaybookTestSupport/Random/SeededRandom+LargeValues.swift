import Daybook
import DaybookModel

extension SeededRandom {
  /// Draws a large value, whole or as a reference that brings its bytes, which must make no difference.
  ///
  /// - Parameter samples: ``LargeSample/data`` or ``LargeSample/json``; the first ones are drawn most often.
  package mutating func largeValue(_ samples: [[UInt8]]) -> Value {
    let bytes = samples[min(number(0..<samples.count), number(0..<samples.count))]
    if isTrue(percent: 30) { return .data(bytes) }
    return LargeValue(bytes).map { .large($0) } ?? .data(bytes)
  }
}
