/// Classes of scalars in brackets.
extension ExpressionParser {
  /// Reads a class after its bracket.
  mutating func scalarClass() throws(ExpressionFault) -> ExpressionNode {
    .scalarClass(ScalarClass(try classPart()))
  }

  /// An operation on two classes, which binds less than the members of a class.
  private enum Operation { case intersection, subtraction, exclusion }

  private mutating func classPart() throws(ExpressionFault) -> ScalarClass.Part {
    let isComplement = take("^")
    var whole: ScalarClass.Part?
    var operation = Operation.intersection
    while true {
      let (part, next) = try members()
      switch (whole, operation) {
      case (nil, _): whole = part
      case (let left?, .intersection): whole = .intersection(left, part)
      case (let left?, .subtraction): whole = .subtraction(left, part)
      case (let left?, .exclusion): whole = .exclusion(left, part)
      }
      guard let next else { break }
      operation = next
    }
    let part = whole ?? .ranges([])
    return isComplement ? .complement(part) : part
  }

  /// Reads members up to an operation or the end of the class.
  private mutating func members() throws(ExpressionFault) -> (ScalarClass.Part, Operation?) {
    var ranges: [ClosedRange<UInt32>] = []
    var parts: [ScalarClass.Part] = []
    var end: Operation?
    var isQuoting = false
    while true {
      guard let scalar = peek else { throw fault("“]” is missing") }
      if isQuoting {
        if take("\\E") { isQuoting = false } else { ranges.append(try next().value...scalar.value) }
        continue
      }
      if take("\\Q") {
        isQuoting = true
        continue
      }
      let isFirst = ranges.isEmpty && parts.isEmpty
      if scalar == "]", !isFirst {
        offset += 1
        break
      }
      if scalar == "]" { throw fault("a class has no members") }
      if !isFirst, let operation = operation() {
        end = operation
        break
      }
      switch try member() {
      case .part(let part): parts.append(part)
      case .scalar(let first):
        guard peek == "-", offset + 1 < scalars.count, scalars[offset + 1] != "]", scalars[offset + 1] != "-" else {
          ranges.append(first.value...first.value)
          continue
        }
        offset += 1
        let start = offset
        guard case .scalar(let last) = try member() else {
          throw ExpressionFault("a range ends with one scalar", at: start)
        }
        guard first <= last else { throw ExpressionFault("a range ends before it begins", at: start) }
        ranges.append(first.value...last.value)
      }
    }
    if !ranges.isEmpty { parts.insert(part(ranges), at: 0) }
    return (parts.count == 1 ? parts[0] : .union(parts), end)
  }

  private mutating func operation() -> Operation? {
    if take("&&") { return .intersection }
    if take("--") { return .subtraction }
    if take("~~") { return .exclusion }
    return nil
  }

  private mutating func member() throws(ExpressionFault) -> ClassItem {
    if take("[:") { return .part(try namedClass()) }
    let scalar = try next()
    switch scalar {
    case "[": return .part(try nesting { parser throws(ExpressionFault) in try parser.classPart() })
    case "\\":
      if take("b") { return .scalar("\u{8}") }
      return try classEscape()
    default: return .scalar(scalar)
    }
  }

  /// Reads `alpha:]` or `^alpha:]`.
  private mutating func namedClass() throws(ExpressionFault) -> ScalarClass.Part {
    let start = offset
    let isComplement = take("^")
    var name = ""
    while peek != ":" { name.unicodeScalars.append(try next()) }
    guard take(":]"), let part = ScalarProperty.named(name) else {
      throw ExpressionFault("“[:\(name)” is not supported", at: start)
    }
    return isComplement ? .complement(part) : part
  }
}
