import Daybook

/// The orders of ICU's locales.
///
///     ICUCollation.register()
///     let store = try Store(at: "recipes.daybook", model: model)   // with @Attribute(order: .locale("sv"))
///
/// The orders come from the Unicode Common Locale Data Repository, with ICU's code. Numbers in texts are compared
/// by their values, and case is ignored.
public enum ICUCollation {
  /// Makes the locales known to all stores of the process.
  ///
  /// Call it before the first model with the order `.locale` is made. Further calls have no effect.
  public static func register() { registered }

  private static let registered: Void = LocaleCollation.register { ICUCollator($0) }
}
