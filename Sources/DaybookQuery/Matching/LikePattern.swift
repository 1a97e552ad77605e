import WorkLimits

/// A pattern in which `?` stands for one Unicode scalar and `*` for any number of them.
///
/// It uses scalars rather than characters, because the end of a character depends on the system's version of Unicode,
/// and a filter must mean the same on all systems.
package struct LikePattern: Sendable {
  /// The parts between the runs of `*`.
  private let parts: [LikePart]

  /// - Parameter fold: The fold of the pattern's own characters; the texts must be folded likewise.
  init(_ pattern: String, fold: TextFold) {
    var parts: [[Unicode.Scalar?]] = [[]]
    var plain = String.UnicodeScalarView()
    func takePlain() {
      parts[parts.count - 1] += Array(fold.apply(String(plain)).unicodeScalars)
      plain = String.UnicodeScalarView()
    }
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        plain.append(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "?":
        takePlain()
        parts[parts.count - 1].append(nil)
      case "*":
        takePlain()
        parts.append([])
      default: plain.append(scalar)
      }
    }
    // A backslash at the end is a plain backslash.
    if isEscaped { plain.append("\\") }
    takePlain()
    self.parts = parts.map(LikePart.init)
  }

  /// Returns whether the whole text matches.
  ///
  /// The first part must begin the text and the last one must end it. Each part between them is taken where it is found
  /// first: a later place could not let more parts match.
  ///
  /// - Throws: `WorkLimitExceeded`.
  /// - Complexity: O(*n* · (1 + *m* / 64)) for a text of *n* and a pattern of *m* scalars.
  func matches(_ text: String) throws(WorkLimitExceeded) -> Bool {
    var work = WorkCounter()
    let scalars = text.unicodeScalars
    let (first, last) = (parts[0], parts[parts.count - 1])
    guard var start = try first.end(in: scalars[...], &work) else { return false }
    guard parts.count > 1 else { return start == scalars.endIndex }
    guard let end = try last.start(in: scalars[start...], &work) else { return false }
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = try part.firstEnd(in: scalars[start..<end], &work) else { return false }
      start = found
    }
    return true
  }
}

/// A part of a pattern without `*`.
private struct LikePart: Sendable {
  /// The scalars; `nil` for any one.
  private let scalars: [Unicode.Scalar?]
  /// The number of words with a bit for each scalar.
  private let wordCount: Int
  /// For each scalar that the part has, the bits of its places and of those that any scalar meets; the first entry is
  /// for all other scalars.
  private let masks: [UInt64]
  private let ascii: [Int]
  private let others: [Unicode.Scalar: Int]

  var isEmpty: Bool { scalars.isEmpty }

  init(_ scalars: [Unicode.Scalar?]) {
    self.scalars = scalars
    wordCount = (scalars.count + 63) / 64
    var numbers: [Unicode.Scalar: Int] = [:]
    for case let scalar? in scalars where numbers[scalar] == nil { numbers[scalar] = numbers.count + 1 }
    var masks = [UInt64](repeating: 0, count: (numbers.count + 1) * wordCount)
    for (place, scalar) in scalars.enumerated() {
      let (word, bit) = (place / 64, UInt64(1) << UInt64(place % 64))
      if let scalar {
        masks[(numbers[scalar] ?? 0) * wordCount + word] |= bit
      } else {
        for number in 0...numbers.count { masks[number * wordCount + word] |= bit }
      }
    }
    self.masks = masks
    ascii = (0..<128).map { numbers[Unicode.Scalar(UInt8($0))] ?? 0 }
    others = numbers.filter { !$0.key.isASCII }
  }

  /// Returns the end of the part at the beginning of a text, or `nil` if the text does not begin with it.
  func end(
    in text: Substring.UnicodeScalarView, _ work: inout WorkCounter
  ) throws(WorkLimitExceeded) -> String.Index? {
    var place = text.startIndex
    for wanted in scalars {
      try work.step()
      guard place < text.endIndex, wanted == nil || wanted == text[place] else { return nil }
      place = text.index(after: place)
    }
    return place
  }

  /// Returns the start of the part at the end of a text, or `nil` if the text does not end with it.
  func start(
    in text: Substring.UnicodeScalarView, _ work: inout WorkCounter
  ) throws(WorkLimitExceeded) -> String.Index? {
    var place = text.endIndex
    for wanted in scalars.reversed() {
      try work.step()
      guard place > text.startIndex else { return nil }
      place = text.index(before: place)
      guard wanted == nil || wanted == text[place] else { return nil }
    }
    return place
  }

  /// Returns the end of the first place in a text where the part is, or `nil`.
  ///
  /// The bits record how many of the part's scalars, beginning with the first, the text has just before a place; a
  /// scalar moves them all on by one.
  func firstEnd(
    in text: Substring.UnicodeScalarView, _ work: inout WorkCounter
  ) throws(WorkLimitExceeded) -> String.Index? {
    var found = [UInt64](repeating: 0, count: wordCount)
    let last = UInt64(1) << UInt64((scalars.count - 1) % 64)
    var place = text.startIndex
    while place < text.endIndex {
      let scalar = text[place]
      let number = scalar.isASCII ? ascii[Int(scalar.value)] : others[scalar] ?? 0
      try work.step(1 + wordCount / 8)
      var carry: UInt64 = 1
      for word in 0..<wordCount {
        let next = found[word] >> 63
        found[word] = (found[word] << 1 | carry) & masks[number * wordCount + word]
        carry = next
      }
      place = text.index(after: place)
      if found[wordCount - 1] & last != 0 { return place }
    }
    return nil
  }
}
