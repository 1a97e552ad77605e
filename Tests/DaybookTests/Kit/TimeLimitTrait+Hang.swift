import Testing

extension Trait where Self == TimeLimitTrait {
  /// The limit of a test that would never end if a wake-up were lost.
  ///
  /// It is far more than such a test takes alone: all tests share a pool of as many threads as there are processors, and
  /// a test's time goes by while others hold these.
  static var hangLimit: Self { .timeLimit(.minutes(40)) }
}
