/// The stored form of an accumulator.
///
/// It follows from the present values alone: equal contents have equal bytes, whatever the order of the changes. It
/// begins with its version and the function. A sum is its canonical number (see ``NumberSum``), and the functions that
/// keep values have each different one as a field, in the order of ``ValueOrder`` by code points, with its number.
extension Accumulator {
  private static let version: UInt8 = 1

  /// The stored form.
  ///
  /// - Precondition: All values are kept, if the function is none of counts, sums, averages and distinct values.
  /// - Complexity: O(1) for counts, sums and averages, else O(*d* log *d*) for *d* different values.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [Accumulator.version, function.rawValue]
    switch content {
    case .count(let count): bytes.appendVarint(UInt64(max(count, 0)))
    case .numbers(let sum): sum.append(to: &bytes)
    case .extremes(let heap): bytes.append(heap.elements)
    case .distinct(let counts): bytes.append(counts.map { ($0.key, $0.value) })
    case .ends(let heap): bytes.append(heap.elements)
    case .extreme, .end: preconditionFailure("an accumulator that keeps no values has no stored form")
    }
    return bytes
  }

  /// Reads the stored form.
  ///
  /// - Parameters:
  ///   - function: The function whose form the bytes have.
  ///   - type: The type of the values.
  ///   - order: The order of strings, for the least and the greatest.
  /// - Throws: `MalformedBytes` if the bytes are of another version or function, or no form that ``bytes`` has.
  package init(
    _ function: Function, of type: AttributeType, order: StringOrder = .codepoint, reading bytes: RawSpan
  ) throws(MalformedBytes) {
    self.init(function, of: type, order: order)
    var reader = ByteReader(bytes)
    guard try reader.byte() == Accumulator.version, try reader.byte() == function.rawValue else {
      throw MalformedBytes(offset: 0, expected: "the stored form of a \(function)")
    }
    switch content {
    case .count: content = .count(try reader.count())
    case .numbers: content = .numbers(try NumberSum(of: type, reading: &reader))
    case .extremes(var heap):
      try reader.countedValues { value, count in heap.add(value, count: count) }
      content = .extremes(heap)
    case .distinct(var counts):
      try reader.countedValues { value, count in counts[value] = count }
      content = .distinct(counts)
    case .ends(var heap):
      try reader.placedValues { value, count in heap.add(value, count: count) }
      content = .ends(heap)
    case .extreme, .end: preconditionFailure("a new accumulator keeps all values")
    }
    guard reader.isAtEnd else { throw MalformedBytes(offset: reader.offset, expected: "the end") }
  }
}

private extension [UInt8] {
  mutating func append(_ counts: [(element: Value, count: Int)]) {
    appendVarint(UInt64(counts.count))
    for (value, count) in counts.sorted(by: { ValueOrder.compare($0.element, $1.element) < 0 }) {
      appendCanonical(value)
      appendVarint(UInt64(count))
    }
  }

  mutating func append(_ counts: [(element: Accumulator.PlacedValue, count: Int)]) {
    appendVarint(UInt64(counts.count))
    let rank = Accumulator.PlaceRank(isDescending: false)
    for (placed, count) in counts.sorted(by: { rank.precedes($0.element, $1.element) }) {
      appendRun(placed.place.rawSpan)
      appendCanonical(placed.value)
      appendVarint(UInt64(count))
    }
  }
}

extension [UInt8] {
  /// Appends a value as a field, with 1 as the tag.
  package mutating func appendCanonical(_ value: Value) {
    // Data of more than 64 KiB equals a reference to the same bytes, so both have its form.
    if case .data(let data) = value, let large = LargeValue(data) {
      appendField(Tag(1), .large(large))
    } else {
      appendField(Tag(1), value)
    }
  }
}

private extension ByteReader {
  mutating func countedValues(_ body: (Value, Int) -> Void) throws(MalformedBytes) {
    var last: Value?
    for _ in 0..<(try count()) {
      let value = try value()
      guard !value.isNull, last.map({ ValueOrder.compare($0, value) < 0 }) ?? true else {
        throw MalformedBytes(offset: offset, expected: "values in order")
      }
      body(value, try positiveCount())
      last = value
    }
  }

  mutating func placedValues(_ body: (Accumulator.PlacedValue, Int) -> Void) throws(MalformedBytes) {
    let rank = Accumulator.PlaceRank(isDescending: false)
    var last: Accumulator.PlacedValue?
    for _ in 0..<(try count()) {
      let placed = Accumulator.PlacedValue(place: [UInt8](try run()), value: try value())
      guard last.map({ rank.precedes($0, placed) }) ?? true else {
        throw MalformedBytes(offset: offset, expected: "places in order")
      }
      body(placed, try positiveCount())
      last = placed
    }
  }

  private mutating func positiveCount() throws(MalformedBytes) -> Int {
    let count = try count()
    // A greater count is no sum of changes, and could not grow.
    guard count > 0, count < 1 << 62 else { throw MalformedBytes(offset: offset, expected: "a count") }
    return count
  }

  private mutating func value() throws(MalformedBytes) -> Value {
    var fields = FieldReader(bytes.extracting(droppingFirst: offset))
    let field = try fields.next()
    let value = try field.value()
    // A field in another form of the same value would make bytes that differ for equal contents.
    var canonical: [UInt8] = []
    canonical.appendCanonical(value)
    let isNumber = if case .double(let number) = value { !number.isNaN } else { true }
    guard isNumber, equalBytes(canonical.rawSpan, field.whole) else {
      throw MalformedBytes(offset: offset, expected: "a value in its stored form")
    }
    _ = try take(field.whole.byteCount)
    return value
  }
}
