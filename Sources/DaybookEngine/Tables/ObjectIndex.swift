import DaybookModel
import LMDB

/// Finds an object's number by its key.
///
/// It is a hash table with open addressing, whose keys are kept by its owner.
///
/// Identities are supplied by callers, who could choose colliding ones, so they are mixed with numbers that are secret
/// to the process.
struct ObjectIndex: ~Copyable {
  /// The number of an object plus one; 0 for a free slot.
  private var slots = PlainList<UInt32>()
  private var count = 0

  private static let seeds = (
    UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max)
  )
  private let seeds = ObjectIndex.seeds

  package init() { slots.fill(0, count: 64) }

  /// Returns the number of an object, or `nil` if the index lacks the object.
  ///
  /// - Parameter key: Returns the key of the object with a number.
  @inline(__always)
  func number(of object: ObjectKey, key: (Int) -> ObjectKey) -> Int? {
    let mask = slots.count - 1
    var slot = place(of: object) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { return nil }
      let number = Int(entry) - 1
      if key(number) == object { return number }
      slot = (slot + 1) & mask
    }
  }

  /// Adds an object that the index lacks.
  mutating func add(_ object: ObjectKey, number: Int, key: (Int) -> ObjectKey) {
    if count * 2 >= slots.count { grow(key) }
    put(object, number)
    count += 1
  }

  mutating func removeAll() {
    slots.fill(0, count: count * 32 < slots.count ? 64 : slots.count)
    count = 0
  }

  private mutating func grow(_ key: (Int) -> ObjectKey) {
    slots.fill(0, count: slots.count * 4)
    for number in 0..<count { put(key(number), number) }
  }

  private mutating func put(_ object: ObjectKey, _ number: Int) {
    let mask = slots.count - 1
    var slot = place(of: object) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(number + 1)
  }

  @inline(__always)
  private func place(of object: ObjectKey) -> Int {
    let first = (object.id.high ^ seeds.0).multipliedFullWidth(by: object.id.low ^ seeds.1)
    let second = (first.high ^ first.low ^ UInt64(object.entity)).multipliedFullWidth(by: seeds.2 | 1)
    return Int(truncatingIfNeeded: second.high ^ second.low)
  }
}
