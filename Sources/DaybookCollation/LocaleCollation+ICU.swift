#if Collation

import Daybook

extension LocaleCollation {
  /// The orders of ICU's locales.
  ///
  ///     var options = StoreOptions()
  ///     options.collation = .icu
  ///     let store = try Store(at: "recipes.daybook", model: model, options: options)  // with @Attribute(order: .locale("sv"))
  ///
  /// The orders come from the Unicode Common Locale Data Repository, with ICU's code. Numbers in texts are compared
  /// by their values, and case is ignored.
  public static let icu = LocaleCollation(named: "icu") { ICUCollator($0) }
}

#else

import Daybook

extension LocaleCollation {
  /// Needs the trait `Collation` of the package.
  @available(
    *, unavailable,
    message: "DaybookCollation needs the trait Collation: add traits: [\"Collation\"] to the dependency on the package"
  )
  public static var icu: LocaleCollation { fatalError("The trait Collation is off.") }
}

#endif
