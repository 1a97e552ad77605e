/// A value over objects, such as a sum, to which each object's value can be added, and from which it can be taken out.
///
///     var total = Accumulator(.sum, of: .double)
///     total.add(.double(0.1))
///     total.add(.double(0.2))
///     total.remove(.double(0.1))
///     try total.value() // 0.2
///
/// The result depends on the present values alone, never on the order or the number of changes: sums are exact (see
/// ``NumberSum``), and orders are total. All functions but the count, the first and the last value ignore null. Of nothing
/// the count, the sum and the number of different values are 0; everything else is null.
package struct Accumulator: Sendable {
  /// What is computed.
  package enum Function: UInt8, Hashable, Sendable, CaseIterable {
    /// The number of objects.
    case count = 1
    case sum, average
    /// The least and the greatest value in an order.
    case minimum, maximum
    /// The number of different values: of different bytes.
    case distinct
    /// The value of the object at the first or the last place, null included.
    case first, last
  }

  /// Whether values can be taken out.
  package enum Retention: Sendable {
    /// Values are only added: an extreme has no other values.
    case none
    /// All values are kept that a result may follow from.
    case all
  }

  /// A value with the place of its object, by which the first and the last one are chosen.
  struct PlacedValue: Hashable, Sendable {
    let place: [UInt8]
    let value: Value
  }

  enum Content: Sendable {
    case count(Int)
    case numbers(NumberSum)
    case extreme(Value)
    case extremes(ExtremeHeap<ValueRank>)
    case distinct([Value: Int])
    case end(PlacedValue?)
    case ends(ExtremeHeap<PlaceRank>)
  }

  package let function: Function
  let rank: ValueRank
  var content: Content

  /// Makes the value over nothing.
  ///
  /// - Parameters:
  ///   - type: The type of the values; it matters for sums and averages, which take numbers.
  ///   - order: The order of strings, for the least and the greatest.
  ///   - retention: Whether values are taken out later. Counts, sums and averages take no more memory for it; the others
  ///     keep each different value.
  package init(
    _ function: Function, of type: AttributeType, order: StringOrder = .codepoint, keeping retention: Retention = .all
  ) {
    self.function = function
    rank = ValueRank(order: order, isDescending: function == .maximum)
    let keepsAll = retention == .all
    content =
      switch function {
      case .count: .count(0)
      case .sum, .average: .numbers(NumberSum(of: type))
      case .minimum, .maximum: keepsAll ? .extremes(ExtremeHeap(rank)) : .extreme(.null)
      case .distinct: .distinct([:])
      case .first, .last: keepsAll ? .ends(ExtremeHeap(PlaceRank(isDescending: function == .last))) : .end(nil)
      }
  }

  /// Makes the sum or the average of numbers that are added up.
  package init(_ function: Function, adding sum: NumberSum) {
    precondition(function == .sum || function == .average, "Only sums and averages are made of a sum.")
    self.function = function
    rank = ValueRank(order: .codepoint, isDescending: false)
    content = .numbers(sum)
  }

  /// Adds the value of several objects to the least, the greatest or the different values.
  ///
  /// - Complexity: As for one object.
  package mutating func add(_ value: Value, count: Int) {
    switch content {
    case .extremes(var heap):
      content = .count(0)
      heap.add(value, count: count)
      content = .extremes(heap)
    case .distinct(var counts):
      content = .count(0)
      counts[value, default: 0] += count
      content = .distinct(counts)
    default: add(value)
    }
  }

  /// Adds the value of an object.
  ///
  /// - Parameter place: For the first and the last value, bytes that sort as the objects do and that no two objects share.
  /// - Complexity: O(1) for counts, sums, averages and distinct values. For the others O(log *d*) for *d* different
  ///   values, and O(1) if none are kept.
  package mutating func add(_ value: Value, at place: [UInt8] = []) { change(value, place, isRemoval: false) }

  /// Takes out a value that was added before.
  ///
  /// - Parameter place: The place with which it was added.
  /// - Precondition: All values are kept, if the function is none of counts, sums, averages and distinct values.
  /// - Complexity: As for adding, on average over all changes.
  package mutating func remove(_ value: Value, at place: [UInt8] = []) { change(value, place, isRemoval: true) }

  private mutating func change(_ value: Value, _ place: [UInt8], isRemoval: Bool) {
    let isCounted = !value.isNull
    // The content is taken out while it changes: another reference to its storage would have all of it copied.
    switch content {
    case .count(let count): content = .count(isRemoval ? count &- 1 : count &+ 1)
    case .numbers(var sum):
      content = .count(0)
      if isRemoval { sum.remove(value) } else { sum.add(value) }
      content = .numbers(sum)
    case .extreme(let present):
      precondition(!isRemoval, "a value is taken out of an accumulator that keeps none")
      if isCounted, present.isNull || rank.precedes(value, present) { content = .extreme(value) }
    case .extremes(var heap):
      guard isCounted else { return }
      content = .count(0)
      if isRemoval { heap.remove(value) } else { heap.add(value) }
      content = .extremes(heap)
    case .distinct(var counts):
      guard isCounted else { return }
      content = .count(0)
      let count = counts[value, default: 0] + (isRemoval ? -1 : 1)
      counts[value] = count > 0 ? count : nil
      content = .distinct(counts)
    case .end(let present):
      precondition(!isRemoval, "a value is taken out of an accumulator that keeps none")
      let placed = PlacedValue(place: place, value: value)
      if present.map({ PlaceRank(isDescending: function == .last).precedes(placed, $0) }) ?? true {
        content = .end(placed)
      }
    case .ends(var heap):
      content = .count(0)
      let placed = PlacedValue(place: place, value: value)
      if isRemoval { heap.remove(placed) } else { heap.add(placed) }
      content = .ends(heap)
    }
  }

  /// Returns the value.
  ///
  /// - Throws: `SumFault` for a sum or an average that its type does not have.
  package func value() throws(SumFault) -> Value {
    switch content {
    case .count(let count): .integer(Int64(count))
    case .numbers(let sum): function == .average ? try sum.average() : try sum.sum()
    case .extreme(let value): value
    case .extremes(let heap): heap.first ?? .null
    case .distinct(let counts): .integer(Int64(counts.count))
    case .end(let placed): placed?.value ?? .null
    case .ends(let heap): heap.first?.value ?? .null
    }
  }

  /// Returns the value as one to compare with others: a sum of integers beyond 64 bits is a decimal.
  ///
  /// - Throws: `SumFault` for other sums and averages that their type does not have.
  package func comparableValue() throws(SumFault) -> Value {
    guard function == .sum, case .numbers(let sum) = content else { return try value() }
    return try sum.comparableSum()
  }
}

extension Accumulator {
  /// The order of values, or its reverse.
  struct ValueRank: HeapOrder {
    let order: StringOrder
    let isDescending: Bool

    func precedes(_ a: Value, _ b: Value) -> Bool {
      let difference = ValueOrder.compare(a, b, order: order)
      return isDescending ? difference > 0 : difference < 0
    }
  }

  /// The order of places, or its reverse; equal places are in the order of their values.
  struct PlaceRank: HeapOrder {
    let isDescending: Bool

    func precedes(_ a: PlacedValue, _ b: PlacedValue) -> Bool {
      let places = compareBytes(a.place.rawSpan, b.place.rawSpan)
      let difference = places != 0 ? places : ValueOrder.compare(a.value, b.value)
      return isDescending ? difference > 0 : difference < 0
    }
  }
}
