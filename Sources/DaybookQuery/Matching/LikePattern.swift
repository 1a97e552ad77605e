/// A pattern in which `?` stands for one Unicode scalar and `*` for any number of them.
///
/// It uses scalars rather than characters, because the end of a character depends on the system's version of Unicode,
/// and a filter must mean the same on all systems.
package struct LikePattern: Sendable {
  private enum Part {
    case scalar(Unicode.Scalar)
    case one
    case many
  }

  private let parts: [Part]

  /// - Parameter fold: The fold of the pattern's own characters; the texts must be folded likewise.
  init(_ pattern: String, fold: TextFold) {
    var parts: [Part] = []
    var plain = String.UnicodeScalarView()
    func takePlain() {
      parts += fold.apply(String(plain)).unicodeScalars.map { .scalar($0) }
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
        parts.append(.one)
      case "*":
        takePlain()
        parts.append(.many)
      default: plain.append(scalar)
      }
    }
    // A backslash at the end is a plain backslash.
    if isEscaped { plain.append("\\") }
    takePlain()
    self.parts = parts
  }

  /// Returns whether the whole text matches.
  ///
  /// - Complexity: O(*n* · *m*) at worst for a text of *n* and a pattern of *m* scalars: when a run of `*` turns out
  ///   too short it grows by one, and earlier runs are never tried again, because a longer one could not match more.
  func matches(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    var place = scalars.startIndex
    var index = 0
    var retry: (index: Int, place: String.Index)?
    while place < scalars.endIndex {
      if index < parts.count, case .many = parts[index] {
        index += 1
        retry = (index, place)
      } else if index < parts.count, fits(parts[index], scalars[place]) {
        index += 1
        place = scalars.index(after: place)
      } else if let last = retry {
        place = scalars.index(after: last.place)
        index = last.index
        retry = (index, place)
      } else {
        return false
      }
    }
    return parts[index...].allSatisfy { if case .many = $0 { true } else { false } }
  }

  private func fits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .scalar(let wanted): wanted == scalar
    case .one: true
    case .many: false
    }
  }
}
