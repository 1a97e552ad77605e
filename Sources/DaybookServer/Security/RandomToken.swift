#if Server

/// Texts that cannot be guessed.
package enum RandomToken {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  private static let length = 43

  /// Returns 43 characters with 256 random bits, from the system's generator.
  package static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in alphabet[Int(generator.next() & 63)] })
  }

  /// Returns whether a text could be a token of ``make()``.
  package static func isToken(_ text: String) -> Bool { text.count == length && text.allSatisfy(alphabet.contains) }
}

#endif
