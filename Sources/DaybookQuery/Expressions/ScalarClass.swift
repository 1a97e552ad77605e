/// A set of Unicode scalars, as a class of a regular expression.
struct ScalarClass: Sendable {
  /// What a class is made of.
  indirect enum Part: Sendable {
    /// The scalars of ranges, which rise and do not touch.
    case ranges([ClosedRange<UInt32>])
    /// A scalar, or a variant of it in upper or lower case, in one of the ranges.
    case variants([ClosedRange<UInt32>])
    case property(ScalarProperty)
    case union([Part])
    case intersection(Part, Part)
    case subtraction(Part, Part)
    case exclusion(Part, Part)
    case complement(Part)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .ranges(let ranges): ScalarClass.isFound(scalar.value, in: ranges)
      case .variants(let ranges): ScalarClass.variants(of: scalar).contains { ScalarClass.isFound($0, in: ranges) }
      case .property(let property): property.has(scalar)
      case .union(let parts): parts.contains { $0.contains(scalar) }
      case .intersection(let a, let b): a.contains(scalar) && b.contains(scalar)
      case .subtraction(let a, let b): a.contains(scalar) && !b.contains(scalar)
      case .exclusion(let a, let b): a.contains(scalar) != b.contains(scalar)
      case .complement(let part): !part.contains(scalar)
      }
    }

    /// The number of tests that one scalar may take.
    var size: Int {
      switch self {
      case .ranges, .property: 1
      case .variants: 3
      case .union(let parts): parts.reduce(1) { $0 + $1.size }
      case .intersection(let a, let b), .subtraction(let a, let b), .exclusion(let a, let b): a.size + b.size
      case .complement(let part): part.size
      }
    }
  }

  private let part: Part
  /// The members among the first 128 scalars, as bits.
  private let ascii: (low: UInt64, high: UInt64)
  /// The number of steps that a test of one scalar counts for.
  let size: Int

  init(_ part: Part) {
    self.part = part
    size = part.size
    func bits(from start: UInt8) -> UInt64 {
      (0..<64).reduce(0) { part.contains(Unicode.Scalar(start + $1)) ? $0 | 1 << UInt64($1) : $0 }
    }
    ascii = (bits(from: 0), bits(from: 64))
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<64: ascii.low >> UInt64(scalar.value) & 1 == 1
    case ..<128: ascii.high >> UInt64(scalar.value - 64) & 1 == 1
    default: part.contains(scalar)
    }
  }

  /// The scalars that end a line.
  static let lineEnds = ScalarClass(lineEndPart)
  static let lineEndPart = Part.ranges([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])
  /// The scalars of words: alphabetic ones, the digits of ASCII, and the low line.
  static let wordScalars = ScalarClass(wordPart)
  static let wordPart = Part.union([.property(.alphabetic), .ranges([0x30...0x39, 0x5F...0x5F])])

  /// Returns ranges in order, with those joined that touch.
  static func joined(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var joined: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  private static func isFound(_ value: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  /// The scalar with its variants in lower and in upper case, where these are one scalar each.
  private static func variants(of scalar: Unicode.Scalar) -> [UInt32] {
    if scalar.isASCII {
      let isLetter = (0x61...0x7A).contains(scalar.value | 0x20)
      return isLetter ? [scalar.value | 0x20, scalar.value & ~0x20] : [scalar.value]
    }
    let lower = single(scalar.properties.lowercaseMapping) ?? scalar
    let upper = single(lower.properties.uppercaseMapping) ?? scalar
    return [scalar.value, lower.value, upper.value]
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}
