import DaybookModel
import Foundation
import WorkLimits

/// The fold of a string comparison, which removes the differences to ignore.
///
/// Ignoring accents means canonical decomposition without non-spacing marks (general category Mn); ignoring case means
/// the lower-case mapping of each Unicode scalar, which is independent of language. The folded texts are compared as
/// UTF-8.
package struct TextFold: Hashable, Sendable {
  private let options: Filter.Options

  init(_ options: Filter.Options) {
    self.options = options
  }

  /// Whether strings are compared unchanged.
  var isNone: Bool { options.isEmpty }

  /// Folds a part of a filter.
  func apply(_ value: Value) -> Value {
    if !isNone, case .string(let text) = value { .string(apply(text)) } else { value }
  }

  /// Folds a part of a filter.
  func apply(_ text: String) -> String { apply(text) { _ in } }

  /// Folds a value of an object, which may be long.
  func limited(_ value: Value) throws(WorkLimitExceeded) -> Value {
    if case .string(let text) = value { .string(try limited(text)) } else { value }
  }

  /// Folds a text of an object, which may be long.
  func limited(_ text: String) throws(WorkLimitExceeded) -> String {
    try WorkCounter.pass(text.utf8.count / TextFold.bytesPerStep)
    guard !isNone else { return text }
    var work = WorkCounter()
    return try apply(text) { count throws(WorkLimitExceeded) in try work.step(count) }
  }

  /// The bytes of a text that a search passes in the time of a step.
  private static let bytesPerStep = 16

  /// - Parameter step: Called with numbers of steps.
  private func apply<Failure: Error>(
    _ text: String, _ step: (Int) throws(Failure) -> Void
  ) throws(Failure) -> String {
    guard !isNone else { return text }
    if let folded = asciiFold(text) { return folded }
    let bare = options.contains(.diacriticInsensitive) ? try TextFold.withoutMarks(text, step) : text
    return options.contains(.caseInsensitive) ? try TextFold.lowercase(bare, step) : bare
  }

  /// The fast path for the most common texts; returns `nil` if the text is not all ASCII.
  private func asciiFold(_ text: String) -> String? {
    var hasUpper = false
    // A string without contiguous storage, which is bridged from another language, is folded like any other text.
    let isASCII = text.utf8.withContiguousStorageIfAvailable { units in
      for unit in units {
        guard unit < 128 else { return false }
        hasUpper = hasUpper || TextFold.isUpper(unit)
      }
      return true
    }
    guard isASCII == true else { return nil }
    guard hasUpper, options.contains(.caseInsensitive) else { return text }
    return String(decoding: text.utf8.map { TextFold.isUpper($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static func isUpper(_ unit: UInt8) -> Bool { unit &- UInt8(ascii: "A") < 26 }

  private static func withoutMarks<Failure: Error>(
    _ text: String, _ step: (Int) throws(Failure) -> Void
  ) throws(Failure) -> String {
    var bare = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      try step(4)
      if scalar.properties.generalCategory != .nonspacingMark { bare.append(scalar) }
    }
    return String(bare)
  }

  private static func lowercase<Failure: Error>(
    _ text: String, _ step: (Int) throws(Failure) -> Void
  ) throws(Failure) -> String {
    var folded = ""
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      try step(8)
      folded += scalar.properties.lowercaseMapping
    }
    return folded
  }
}
