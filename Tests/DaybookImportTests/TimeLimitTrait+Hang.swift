#if Import

import Foundation
import Testing

extension Trait where Self == TimeLimitTrait {
  /// The limit of each test of a suite, for a test that would otherwise wait without end.
  ///
  /// It is DAYBOOK_TEST_MINUTES of the environment, or 20 minutes: far more than a test takes alone, because all tests share a
  /// pool of as many threads as there are processors, and a test's time passes while others hold these. `Tools/check-limits`
  /// checks that each suite has it; every test target has this file, by a link.
  static var hangLimit: Self {
    let text = ProcessInfo.processInfo.environment["DAYBOOK_TEST_MINUTES"] ?? "20"
    guard let minutes = Double(text), (0...1_000_000).contains(minutes) else {
      preconditionFailure("DAYBOOK_TEST_MINUTES is \(text): give a number of minutes")
    }
    return .timeLimit(.minutes(max(1, Int(minutes.rounded(.up)))))
  }
}

#endif
