/// Texts that cannot be guessed.
package enum RandomToken {
  /// Returns 43 characters with 256 random bits, from the system's generator.
  package static func make() -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var generator = SystemRandomNumberGenerator()
    return String((0..<43).map { _ in alphabet[Int(generator.next() & 63)] })
  }
}
