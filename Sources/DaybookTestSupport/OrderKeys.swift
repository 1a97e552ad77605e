import Daybook
import DaybookEngine

/// Order keys that no store writes.
package enum OrderKeys {
  package static let hostile: [[UInt8]] = [
    [], [0], [1], [1, 1, 1, 1], [128, 1], [128, 128, 128, 128, 128, 1], [128, 0, 128],
    [UInt8](repeating: 9, count: OrderKey.maximumSize + 1), [UInt8](repeating: 9, count: 5_000),
  ]
}
