import DaybookTestSupport
import Synchronization
import Testing
import WorkLimits

@testable import DaybookQuery

@Suite(.hangLimit) struct ExpressionTests {
  private static func matches(
    _ pattern: String, _ text: String, isWhole: Bool = true, _ options: Filter.Options = []
  ) throws -> Bool {
    let expression = try RegularExpression(pattern, options: options)
    return isWhole ? try expression.matches(text) : try expression.isFound(in: text)
  }

  @Test(
    arguments: [
      // Literals, classes and escapes.
      ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "ab", false), (".", "é", true), (".", "\n", false),
      (".", "\u{2028}", false), ("(?s).", "\n", true), ("[a-c]x", "bx", true), ("[^a-c]", "b", false),
      ("[^a-c]", "d", true),
      ("[a-]", "-", true), ("[-a]", "-", true), ("[]]", "]", nil), ("]", "]", true), ("}", "}", true), ("{", "{", true),
      ("a{", "a{", true), ("a{2", "a{2", true), ("[.*]", "*", true), ("\\.", "x", false), ("\\-", "-", true),
      ("\\/", "/", true),
      ("\\t\\n\\r\\f\\e\\a", "\t\n\r\u{C}\u{1B}\u{7}", true),
      ("\\x41\\x{1F370}\\u00e9\\u{e9}\\U0001F370", "A🍰éé🍰", true),
      ("\\0\\012\\o{101}", "\0\nA", true), ("\\Qa*\\E*", "a***", true), ("\\Q(", "(", true), ("[\\Q]\\Ea]", "]", true),
      ("[\\b]", "\u{8}", true), ("[a-\\x63]", "b", true), ("[[:alpha:]_]+", "é_", true), ("[[:^digit:]]", "1", false),
      ("[a-z&&[^aeiou]]+", "xyz", true), ("[a-z&&[^aeiou]]", "e", false), ("[a-z--b]", "b", false),
      ("[ab~~bc]", "b", false),
      ("[ab~~bc]+", "ac", true), ("\\p{L}\\p{Lu}\\P{L}", "aB1", true), ("\\p{Letter}", "ф", true),
      ("\\p{gc=Nd}", "٣", true),
      ("\\d", "٣", true), ("\\w+", "aé_1", true), ("\\w", "-", false), ("\\s\\h\\v", "\u{A0}\t\n", true),
      ("\\D\\S\\W\\H\\V", "aa-aa", true),
      ("\\R", "\r\n", true), ("\\R", "\u{85}", true),
      // Groups, alternatives and repetitions.
      ("(a|b)c", "bc", true), ("a||b", "", true), ("()", "", true), ("(?:a)(?<n>b)(?P<m>c)(?'o'd)", "abcd", true),
      ("(?#no)a", "a", true), ("a*", "", true), ("a+", "", false), ("a?b", "ab", true), ("a{2}", "aaa", false),
      ("a{2,}", "aaa", true), ("a{,2}", "aaa", false), ("a{ 1, 2 }", "aa", true), ("a{0}", "", true),
      ("(a{2}){2}", "aaaa", true),
      ("a*?b+?c??", "aab", true), ("(a*)*b", "aaac", false), ("(a|aa)+$", "aaaa", true),
      // Flags and places.
      ("(?i)É", "é", true), ("(?i:a)b", "AB", false), ("(?i)a(?-i)b", "Ab", true), ("(a(?i)b)c", "aBC", false),
      ("(?x) a b # c", "ab", true),
      ("^a$", "a", true), ("a$", "a\n", false), ("a\\Z\\n", "a\n", true), ("(?m)a$\\n^b", "a\nb", true),
      ("a$\\n^b", "a\nb", false),
      ("\\Aa\\z", "a", true), ("\\ba b\\b", "a b", true), ("a\\b", "a", true), ("a\\Bb", "ab", true),
      ("a\\bb", "ab", false),
    ] as [(String, String, Bool?)])
  func `a whole text matches as the syntax says`(pattern: String, text: String, isMatch: Bool?) throws {
    guard let isMatch else {
      #expect(throws: ExpressionFault.self) { try Self.matches(pattern, text) }
      return
    }
    #expect(try Self.matches(pattern, text) == isMatch)
  }

  @Test(
    arguments: [
      ("a", "xay", true), ("^a", "xa", false), ("a$", "ax", false), ("", "x", true), ("b*", "aaa", true),
      ("a{3}", "aa", false),
      ("(?m)^b", "a\r\nb", true), ("(?m)^$", "a", false), ("\\Bb\\B", "abc", true), ("a\\Z", "a\r\n", false),
      ("a\\Z", "a\n", true),
    ] as [(String, String, Bool)])
  func `a part of a text is found`(pattern: String, text: String, isFound: Bool) throws {
    #expect(try Self.matches(pattern, text, isWhole: false) == isFound)
  }

  @Test(
    arguments: [
      ("(", "“)” is missing", 2), (")", "“)” closes no group", 1), ("*a", "repeats nothing", 1),
      ("a**", "repeats nothing", 3),
      ("a{2}{3}", "repeats nothing", 5), ("^*", "a place cannot be repeated", 3),
      ("\\b+", "a place cannot be repeated", 4),
      ("[a", "“]” is missing", 3), ("[]", "no members", 2), ("[z-a]", "ends before it begins", 4),
      ("[a-\\d]", "one scalar", 4),
      ("a{3,2}", "above the greatest", 2), ("\\", "ends too early", 2), ("\\q", "is not supported", 2),
      ("\\é", "is not supported", 2),
      ("(a)\\1", "a group has matched is not supported", 5), ("(?<n>a)\\k<n>", "is not supported", 9),
      ("a*+", "gives nothing back", 3),
      ("(?>a)", "gives nothing back", 3), ("(?=a)", "looking ahead", 3), ("(?!a)", "looking ahead", 3),
      ("(?<=a)", "looking back", 3),
      ("(?<!a)", "looking back", 3), ("(?(1)a)", "a condition", 3), ("(?R)", "recursion", 3), ("(?|a)", "alike", 3),
      ("(*FAIL)", "(*", 2),
      ("\\X", "is not supported", 2), ("\\p{Greek}", "property “Greek”", 4), ("\\pL", "“{” is missing", 3),
      ("(?<a-b>x)", "name", 5),
      ("\\xZ", "a digit is missing", 3), ("\\u{D800}", "no Unicode scalar", 8), ("(?q)a", "is not supported", 3),
      ("a{10001}", "more than 10000", 7),
    ] as [(String, String, Int)])
  func `a fault names its place`(pattern: String, message: String, place: Int) throws {
    let fault = try #require(throws: ExpressionFault.self) { try RegularExpression(pattern, options: []) }
    #expect(fault.message.contains(message) && fault.place == place, "\(fault)")
  }

  @Test(arguments: [
    "(a{100}){101}", "((a{50}){50}){50}", "(|){10000}",
    String(repeating: "(", count: 101) + String(repeating: ")", count: 101),
    String(repeating: "[a", count: 102), String(repeating: "a", count: 4_097),
  ])
  func `an expression that is too large is refused`(pattern: String) {
    #expect(throws: ExpressionFault.self) { try RegularExpression(pattern, options: []) }
  }

  @Test func `an expression of the greatest size is taken`() throws {
    #expect(try Self.matches("a{9990}", String(repeating: "a", count: 9_990)))
    let deep = String(repeating: "(", count: 100) + "a" + String(repeating: ")", count: 100)
    #expect(try Self.matches(deep, "a"))
  }

  @Test func `case and accents are ignored if so wanted`() throws {
    #expect(try Self.matches("crème [à-ö]", "CRÈME É", .caseInsensitive))
    #expect(try Self.matches("\\S\\D", "xx", .caseInsensitive))
    #expect(try !Self.matches("\\S", " ", .caseInsensitive))
    #expect(try Self.matches("[k]", "\u{212A}", .caseInsensitive))
    #expect(try Self.matches("crème", "creme", .diacriticInsensitive))
  }

  /// The steps that a search counts, within the interval of the counter.
  private static func steps(_ body: () throws -> Void) rethrows -> Int {
    let count = Mutex(0)
    let limit = WorkLimit(
      nil,
      isCancelled: {
        count.withLock { $0 += 1 }
        return false
      })
    try WorkLimit.$current.withValue(limit) { try body() }
    return count.withLock { $0 } * WorkCounter.interval
  }

  @Test(arguments: ["(a+)+", "(a*)*b", "(a|a)*c", "(a|aa)+$", "a*a*a*a*a*b", "(.*)(.*)(.*)[0-9]", "(a?){30}a{30}b"])
  func `the steps of a search grow with the text and no faster`(pattern: String) throws {
    let expression = try RegularExpression(pattern, options: [])
    func steps(_ count: Int) throws -> Int {
      try Self.steps { _ = try expression.matches(String(repeating: "a", count: count) + "!") }
    }
    let (short, long) = (try steps(20_000), try steps(80_000))
    #expect(short > 0 && long < short * 4 + 8 * WorkCounter.interval, "\(short) \(long)")
  }

  @Test func `a limit ends a search`() throws {
    let expression = try RegularExpression("(a{1,9}){1,90}b", options: [])
    let limit = WorkLimit(.seconds(1), now: Self.clock(step: .milliseconds(100)))
    #expect(throws: WorkLimitExceeded.time(.seconds(1))) {
      try WorkLimit.$current.withValue(limit) { try expression.isFound(in: String(repeating: "a", count: 100_000)) }
    }
  }

  /// A clock that moves on each time it is read.
  static func clock(step: Duration) -> @Sendable () -> ContinuousClock.Instant {
    let now = Mutex(ContinuousClock.now)
    return {
      now.withLock {
        $0 += step
        return $0
      }
    }
  }
}

/// Comparisons with other matchers.
@Suite(.hangLimit) struct ExpressionComparisonTests {
  /// A plain matcher of the expressions that ``expressions(_:)`` makes: tries all ways.
  private indirect enum Plain: CustomStringConvertible {
    case scalar(Character)
    case any
    case pair(Plain, Plain)
    case either(Plain, Plain)
    case repeated(Plain, Int, Int?)

    var description: String {
      switch self {
      case .scalar(let scalar): String(scalar)
      case .any: "."
      case .pair(let a, let b): "\(a)\(b)"
      case .either(let a, let b): "(\(a)|\(b))"
      case .repeated(let inner, 0, nil): "(\(inner))*"
      case .repeated(let inner, let least, let most): "(\(inner)){\(least),\(most.map(String.init) ?? "")}"
      }
    }

    /// The places that matches from a place end at.
    func ends(_ text: [Character], from start: Int) -> Set<Int> {
      switch self {
      case .scalar(let scalar): return start < text.count && text[start] == scalar ? [start + 1] : []
      case .any: return start < text.count ? [start + 1] : []
      case .pair(let a, let b): return Set(a.ends(text, from: start).flatMap { b.ends(text, from: $0) })
      case .either(let a, let b): return a.ends(text, from: start).union(b.ends(text, from: start))
      case .repeated(let inner, let least, let most):
        var (reached, all): (Set<Int>, Set<Int>) = ([start], least == 0 ? [start] : [])
        // More repetitions than the text has places lead nowhere else.
        for count in 1...(most ?? least + text.count + 1) where count > 0 {
          reached = Set(reached.flatMap { inner.ends(text, from: $0) })
          if count >= least { all.formUnion(reached) }
          if reached.isEmpty { break }
        }
        return all
      }
    }
  }

  private static func expressions(_ depth: Int) -> [Plain] {
    guard depth > 0 else { return [.scalar("a"), .scalar("b"), .any] }
    let smaller = expressions(depth - 1)
    let few = depth > 1 ? Array(smaller.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)) : smaller
    return smaller + few.flatMap { a in few.flatMap { [.pair(a, $0), .either(a, $0)] } }
      + smaller.flatMap { [.repeated($0, 0, nil), .repeated($0, 1, 2), .repeated($0, 2, nil)] }
  }

  @Test func `small expressions match what a plain matcher says`() throws {
    var texts: [[Character]] = [[]]
    for length in 0..<4 { texts += texts.filter { $0.count == length }.flatMap { [$0 + ["a"], $0 + ["b"]] } }
    for plain in Self.expressions(2) {
      let expression = try RegularExpression("\(plain)", options: [])
      for text in texts {
        let isMatch = plain.ends(text, from: 0).contains(text.count)
        #expect(try expression.matches(String(text)) == isMatch, "\(plain) \(String(text))")
        let isFound = (0...text.count).contains { !plain.ends(text, from: $0).isEmpty }
        #expect(try expression.isFound(in: String(text)) == isFound, "\(plain) in \(String(text))")
      }
    }
  }

  private static func pattern(_ depth: Int, _ generator: inout SeededRandom) -> String {
    switch generator.number(0..<(depth > 0 ? 12 : 6)) {
    case 0...2: return generator.pick(["a", "b", "c", ".", "é", "A", "1", " "])
    case 3...5:
      return generator.pick([
        "[ab]", "[^a]", "\\w", "\\d", "\\s", "\\W", "[a-c]", "[[:upper:]]", "[b-d&&[^c]]", "\\p{Ll}",
      ])
    case 6, 7: return pattern(depth - 1, &generator) + pattern(depth - 1, &generator)
    case 8: return "(\(pattern(depth - 1, &generator))|\(pattern(depth - 1, &generator)))"
    case 9:
      let count = generator.pick(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?"])
      return "(?:\(pattern(depth - 1, &generator)))\(count)"
    case 10: return generator.pick(["^", "$", "(?i:B)"]) + pattern(depth - 1, &generator)
    default: return "(\(pattern(depth - 1, &generator)))"
    }
  }

  /// Swift's `\b` follows Unicode's segmentation of words, so it is not among the patterns.
  @Test func `random expressions match what Swift's Regex matches`() throws {
    try SeededRandom.run(Rounds.of(2_000)) { generator in
      let seed = generator.seed
      let pattern = Self.pattern(3, &generator)
      let ignoresCase = generator.number(0..<2) == 0
      let expression = try RegularExpression(pattern, options: ignoresCase ? .caseInsensitive : [])
      let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
      let other = ignoresCase ? regex.ignoresCase() : regex
      for _ in 0..<3 {
        let text = (0..<generator.number(0..<7)).map { _ in
          generator.pick(["a", "b", "c", "A", "é", "1", " ", "\n"] as [String])
        }.joined()
        let (isWhole, isPart) = (try other.wholeMatch(in: text) != nil, try other.firstMatch(in: text) != nil)
        #expect(try expression.matches(text) == isWhole, "\(pattern) \(text.debugDescription) seed \(seed)")
        #expect(try expression.isFound(in: text) == isPart, "\(pattern) in \(text.debugDescription) seed \(seed)")
      }
    }
  }
}
