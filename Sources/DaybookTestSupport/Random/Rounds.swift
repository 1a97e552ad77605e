import Foundation

/// How much of a long test runs: all of its rounds where the tests are optimised, a seventh in debug.
///
///     private let killCount = Rounds.of(300, "DAYBOOK_KILLS")
///
/// `Tools/test-random` runs each suite whose file uses this type, optimised, so that each round is run somewhere.
package enum Rounds {
  /// In debug, one round in so many runs; a prime, so that the sample of enumerated cases meets all of their patterns.
  private static let debugShare = 7

  private static let isOptimised: Bool = {
    #if DEBUG
      false
    #else
      true
    #endif
  }()

  /// Returns the number of rounds to run.
  ///
  /// - Parameters:
  ///   - count: The number of rounds of an optimised test.
  ///   - variable: The variable of the environment that sets another number, in debug too.
  ///   - least: The number of rounds that the expectations of the test need.
  package static func of(_ count: Int, _ variable: String? = nil, least: Int = 1) -> Int {
    if let given = variable.flatMap({ given($0) }) { return given }
    return isOptimised ? count : min(count, max(least, count / debugShare))
  }

  /// Returns whether a numbered case of an enumeration is checked.
  package static func include(_ number: Int) -> Bool { isOptimised || number % debugShare == 0 }

  /// Returns a number in the environment, or `nil` if the variable is not set.
  package static func given(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }
}
