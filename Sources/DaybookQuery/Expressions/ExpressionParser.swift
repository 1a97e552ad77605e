/// Reads a regular expression.
///
/// Groups and classes nest to ``maximumDepth`` at most, so its recursion is bounded.
struct ExpressionParser {
  /// The limit on the nesting of groups and classes.
  static let maximumDepth = 100
  /// The limit on the numbers of a counted repetition.
  static let maximumCount = 10_000

  /// What `(?imsx)` turns on, to the end of its group.
  struct Flags {
    var ignoresCase: Bool
    /// Whether `^` and `$` stand for the ends of lines.
    var hasLines = false
    /// Whether `.` stands for the end of a line too.
    var dotIsEverything = false
    /// Whether spaces are left out, and `#` begins a comment.
    var isExtended = false
  }

  let scalars: [Unicode.Scalar]
  var offset = 0
  var flags: Flags
  private var depth = 0
  /// Whether the place is between `\Q` and `\E`.
  private var isQuoting = false

  init(_ text: String, ignoresCase: Bool) {
    scalars = Array(text.unicodeScalars)
    flags = Flags(ignoresCase: ignoresCase)
  }

  /// Reads the whole text.
  mutating func parse() throws(ExpressionFault) -> ExpressionNode {
    let node = try choice()
    guard peek == nil else { throw fault("“)” closes no group") }
    return node
  }

  var peek: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  func fault(_ message: String) -> ExpressionFault { ExpressionFault(message, at: offset) }

  mutating func next() throws(ExpressionFault) -> Unicode.Scalar {
    guard let scalar = peek else { throw fault("it ends too early") }
    offset += 1
    return scalar
  }

  /// Moves past a text if it is next.
  mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[offset...].starts(with: wanted) else { return false }
    offset += wanted.count
    return true
  }

  /// Calls a function one level deeper.
  mutating func nesting<Result>(
    _ body: (inout ExpressionParser) throws(ExpressionFault) -> Result
  ) throws(ExpressionFault) -> Result {
    guard depth < ExpressionParser.maximumDepth else {
      throw fault("it nests deeper than \(ExpressionParser.maximumDepth)")
    }
    depth += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  /// Reads alternatives up to the end of the group or of the text.
  private mutating func choice() throws(ExpressionFault) -> ExpressionNode {
    var branches: [ExpressionNode] = []
    var parts: [ExpressionNode] = []
    while let scalar = peek, scalar != ")" || isQuoting {
      if scalar == "|", !isQuoting {
        offset += 1
        branches.append(.sequence(parts))
        parts = []
      } else if let part = try atom() {
        parts.append(try quantified(part))
      }
    }
    guard !branches.isEmpty else { return .sequence(parts) }
    return .choice(branches + [.sequence(parts)])
  }

  /// Reads what a quantifier may follow; `nil` for what stands for nothing, such as a comment.
  private mutating func atom() throws(ExpressionFault) -> ExpressionNode? {
    if isQuoting {
      if endsQuoting() { return nil }
      return literal(try next())
    }
    let start = offset
    let scalar = try next()
    switch scalar {
    case "(": return try group()
    case "[": return try scalarClass()
    case ".":
      return .scalarClass(ScalarClass(flags.dotIsEverything ? .property(.any) : .complement(ScalarClass.lineEndPart)))
    case "^": return try unquantified(flags.hasLines ? .lineStart : .textStart)
    case "$": return try unquantified(flags.hasLines ? .lineEnd : .textEnd)
    case "\\": return try escape()
    case "*", "+", "?":
      offset = start
      throw fault("“\(scalar)” repeats nothing")
    case "{":
      offset = start
      if try counts() != nil {
        offset = start
        throw fault("the number in braces repeats nothing")
      }
      offset = start + 1
      return literal(scalar)
    case "#" where flags.isExtended:
      while let scalar = peek, scalar != "\n" { offset += 1 }
      return nil
    case _ where flags.isExtended && scalar.properties.isWhitespace: return nil
    default: return literal(scalar)
    }
  }

  func literal(_ scalar: Unicode.Scalar) -> ExpressionNode {
    guard flags.ignoresCase else { return .scalar(scalar) }
    return .scalarClass(ScalarClass(part([scalar.value...scalar.value])))
  }

  /// Returns the class of ranges, with their variants if case is ignored.
  func part(_ ranges: [ClosedRange<UInt32>]) -> ScalarClass.Part {
    let ranges = ScalarClass.joined(ranges)
    return flags.ignoresCase ? .variants(ranges) : .ranges(ranges)
  }

  /// Moves past `\E`, which ends a quotation.
  private mutating func endsQuoting() -> Bool {
    guard isQuoting, take("\\E") else { return false }
    isQuoting = false
    return true
  }

  // MARK: Quantifiers

  private mutating func unquantified(_ assertion: ExpressionAssertion) throws(ExpressionFault) -> ExpressionNode {
    if try quantifier() != nil { throw fault("a place cannot be repeated") }
    return .assertion(assertion)
  }

  private mutating func quantified(_ node: ExpressionNode) throws(ExpressionFault) -> ExpressionNode {
    if isQuoting, !endsQuoting() { return node }
    if case .assertion = node {
      if try quantifier() != nil { throw fault("a place cannot be repeated") }
      return node
    }
    guard let counts = try quantifier() else { return node }
    // The shortest match is asked for; whether there is one is all that counts.
    if take("?") { return .repetition(node, least: counts.least, most: counts.most) }
    if peek == "+" { throw fault("“+” after a quantifier, which gives nothing back, is not supported") }
    return .repetition(node, least: counts.least, most: counts.most)
  }

  private mutating func quantifier() throws(ExpressionFault) -> (least: Int, most: Int?)? {
    let start = offset
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    if let counts = try counts() { return counts }
    offset = start
    return nil
  }

  /// Reads `{2}`, `{2,}`, `{,5}` or `{2,5}`; `nil` for other text, in which case the place may have moved.
  private mutating func counts() throws(ExpressionFault) -> (least: Int, most: Int?)? {
    let start = offset
    guard take("{") else { return nil }
    let least = try number()
    var most = least
    if take(",") {
      most = try number()
      if least == nil, most == nil { return nil }
    } else if least == nil {
      return nil
    }
    guard take("}") else { return nil }
    if let least, let most, least > most {
      throw ExpressionFault("the least number of repetitions is above the greatest", at: start)
    }
    return (least ?? 0, most)
  }

  private mutating func number() throws(ExpressionFault) -> Int? {
    skipSpaces()
    var value: Int?
    while let digit = peek, ("0"..."9").contains(digit) {
      let sum = (value ?? 0) * 10 + Int(digit.value - 48)
      guard sum <= ExpressionParser.maximumCount else {
        throw fault("more than \(ExpressionParser.maximumCount) repetitions are not supported")
      }
      value = sum
      offset += 1
    }
    skipSpaces()
    return value
  }

  private mutating func skipSpaces() {
    while peek == " " { offset += 1 }
  }

  // MARK: Groups

  private mutating func group() throws(ExpressionFault) -> ExpressionNode? {
    let outer = flags
    if peek == "*" { throw fault("“(*” is not supported") }
    if take("?") {
      if take("#") {
        while try next() != ")" {}
        return nil
      }
      if try setFlags() { return nil }
    }
    let inner = try nesting { parser throws(ExpressionFault) in try parser.choice() }
    guard take(")") else { throw fault("“)” is missing") }
    flags = outer
    return inner
  }

  /// Reads what follows `(?`.
  ///
  /// - Returns: Whether the group is at its end: it has set flags for what follows.
  private mutating func setFlags() throws(ExpressionFault) -> Bool {
    if take(":") { return false }
    for (start, what) in [
      ("=", "looking ahead"), ("!", "looking ahead"), ("<=", "looking back"), ("<!", "looking back"),
      ("*", "looking ahead"), ("<*", "looking back"), (">", "a group that gives nothing back"),
      ("|", "a group that numbers its branches alike"), ("(", "a condition"), ("~", "an absent expression"),
      ("{", "a call of code"), ("R", "recursion"), ("&", "recursion"), ("P>", "recursion"),
      ("P=", "a reference to what a group has matched"),
    ] where scalars[offset...].starts(with: start.unicodeScalars) {
      throw fault("\(what) is not supported")
    }
    if take("P<") || take("<") { return try passName(endingWith: ">") }
    if take("'") { return try passName(endingWith: "'") }
    var isOn = true
    while true {
      let start = offset
      switch try next() {
      case "i": flags.ignoresCase = isOn
      case "m": flags.hasLines = isOn
      case "s": flags.dotIsEverything = isOn
      case "x": flags.isExtended = isOn
      case "-" where isOn: isOn = false
      case ")": return true
      case ":": return false
      default:
        offset = start
        throw fault("“(?” is followed by what is not supported")
      }
    }
  }

  /// Reads the name of a group, which has no use here.
  private mutating func passName(endingWith end: Unicode.Scalar) throws(ExpressionFault) -> Bool {
    let start = offset
    while let scalar = peek, scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
      offset += 1
    }
    guard offset > start, peek == end else { throw fault("a group's name has letters, digits and low lines") }
    offset += 1
    return false
  }

  // MARK: Escapes

  private mutating func escape() throws(ExpressionFault) -> ExpressionNode? {
    let start = offset
    switch try next() {
    case "Q":
      isQuoting = true
      return nil
    case "E": return nil
    case "b": return .assertion(.wordBoundary)
    case "B": return .assertion(.noWordBoundary)
    case "A": return .assertion(.textStart)
    case "z": return .assertion(.textEnd)
    case "Z": return .assertion(.textEndOrLastLineEnd)
    case "R":
      return .choice([
        .sequence([.scalar("\r"), .scalar("\n")]), .scalarClass(ScalarClass.lineEnds),
      ])
    case "1"..."9", "k", "g":
      offset = start
      throw fault("a reference to what a group has matched is not supported")
    default:
      offset = start
      switch try classEscape() {
      case .scalar(let scalar): return literal(scalar)
      case .part(let part): return .scalarClass(ScalarClass(part))
      }
    }
  }

  /// What an escape in a class stands for.
  enum ClassItem {
    case scalar(Unicode.Scalar)
    case part(ScalarClass.Part)
  }

  /// Reads an escape, after its backslash, that stands for a scalar or a class.
  mutating func classEscape() throws(ExpressionFault) -> ClassItem {
    let start = offset
    let scalar = try next()
    switch scalar {
    case "d": return .part(.property(.numeric))
    case "D": return .part(.complement(.property(.numeric)))
    case "s": return .part(.property(.whitespace))
    case "S": return .part(.complement(.property(.whitespace)))
    case "w": return .part(ScalarClass.wordPart)
    case "W": return .part(.complement(ScalarClass.wordPart))
    case "h": return .part(.property(.blank))
    case "H": return .part(.complement(.property(.blank)))
    case "v": return .part(ScalarClass.lineEndPart)
    case "V": return .part(.complement(ScalarClass.lineEndPart))
    case "p": return .part(try property())
    case "P": return .part(.complement(try property()))
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "f": return .scalar("\u{C}")
    case "a": return .scalar("\u{7}")
    case "e": return .scalar("\u{1B}")
    case "0": return .scalar(try digits(upTo: 2, radix: 8, orMore: 0))
    case "o": return .scalar(try inBraces(radix: 8))
    case "x": return .scalar(peek == "{" ? try inBraces(radix: 16) : try digits(upTo: 2, radix: 16, orMore: 1))
    case "u": return .scalar(peek == "{" ? try inBraces(radix: 16) : try digits(upTo: 4, radix: 16, orMore: 4))
    case "U": return .scalar(try digits(upTo: 8, radix: 16, orMore: 8))
    default:
      guard scalar.isASCII, !("a"..."z").contains(scalar), !("A"..."Z").contains(scalar),
        !("0"..."9").contains(scalar)
      else {
        offset = start
        throw fault("“\\\(scalar)” is not supported")
      }
      return .scalar(scalar)
    }
  }

  private mutating func inBraces(radix: Int) throws(ExpressionFault) -> Unicode.Scalar {
    guard take("{") else { throw fault("“{” is missing") }
    let scalar = try digits(upTo: 8, radix: radix, orMore: 1)
    guard take("}") else { throw fault("“}” is missing") }
    return scalar
  }

  private mutating func digits(upTo most: Int, radix: Int, orMore least: Int) throws(ExpressionFault) -> Unicode.Scalar
  {
    var value: UInt32 = 0
    var count = 0
    while count < most, let digit = peek.flatMap({ Character($0).hexDigitValue }), digit < radix {
      value = value << (radix == 8 ? 3 : 4) | UInt32(digit)
      count += 1
      offset += 1
    }
    guard count >= least else { throw fault("a digit is missing") }
    guard let scalar = Unicode.Scalar(value) else { throw fault("this is no Unicode scalar") }
    return scalar
  }

  /// Reads the name of a property after `\p`.
  private mutating func property() throws(ExpressionFault) -> ScalarClass.Part {
    guard take("{") else { throw fault("“{” is missing") }
    let start = offset
    var name = ""
    while peek != "}" { name.unicodeScalars.append(try next()) }
    guard let part = ScalarProperty.named(name) else {
      throw ExpressionFault("the property “\(name)” is not supported", at: start)
    }
    offset += 1
    return part
  }
}
