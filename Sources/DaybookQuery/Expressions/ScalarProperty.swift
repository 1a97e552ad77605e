/// A property of Unicode scalars that a regular expression can name.
enum ScalarProperty: Sendable {
  case any, assigned, ascii, alphabetic, uppercase, lowercase, whitespace, numeric, hexDigit, emoji, blank, graphic
  case printing, wordScalar
  /// One of these general categories.
  case categories([Unicode.GeneralCategory])

  func has(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return switch self {
    case .any: true
    case .assigned: properties.generalCategory != .unassigned
    case .ascii: scalar.isASCII
    case .alphabetic: properties.isAlphabetic
    case .uppercase: properties.isUppercase
    case .lowercase: properties.isLowercase
    case .whitespace: properties.isWhitespace
    case .numeric: properties.numericType != nil
    case .hexDigit: properties.isHexDigit
    case .emoji: properties.isEmoji
    case .blank: properties.generalCategory == .spaceSeparator || scalar == "\t"
    case .graphic: isGraphic(properties)
    case .printing:
      (isGraphic(properties) || properties.generalCategory == .spaceSeparator || scalar == "\t")
        && properties.generalCategory != .control
    case .wordScalar: ScalarClass.wordScalars.contains(scalar)
    case .categories(let categories): categories.contains(properties.generalCategory)
    }
  }

  private func isGraphic(_ properties: Unicode.Scalar.Properties) -> Bool {
    !properties.isWhitespace && ![.control, .surrogate, .unassigned].contains(properties.generalCategory)
  }

  /// Returns the class that a name in `\p{...}` or `[:...:]` stands for, or `nil`.
  ///
  /// Letter case, spaces, hyphens and low lines in the name do not count.
  static func named(_ name: String) -> ScalarClass.Part? {
    let key = name.lowercased().filter { !" -_".contains($0) }
    // General_Category=Letter
    for prefix in ["gc=", "generalcategory="] where key.hasPrefix(prefix) {
      return categories[String(key.dropFirst(prefix.count))].map { .property(.categories($0)) }
    }
    if let categories = categories[key] { return .property(.categories(categories)) }
    switch key {
    case "any": return .property(.any)
    case "assigned": return .property(.assigned)
    case "ascii": return .property(.ascii)
    case "alphabetic", "alpha": return .property(.alphabetic)
    case "uppercase", "upper": return .property(.uppercase)
    case "lowercase", "lower": return .property(.lowercase)
    case "whitespace", "space", "wspace": return .property(.whitespace)
    case "alnum": return .union([.property(.alphabetic), .property(.numeric)])
    case "hexdigit", "hex", "xdigit": return .property(.hexDigit)
    case "emoji": return .property(.emoji)
    case "blank": return .property(.blank)
    case "graph": return .property(.graphic)
    case "print": return .property(.printing)
    case "word": return .property(.wordScalar)
    default: return nil
    }
  }

  /// The general categories by their short and long names in the Unicode Character Database.
  private static let categories: [String: [Unicode.GeneralCategory]] = {
    let single: [(String, String, Unicode.GeneralCategory)] = [
      ("lu", "uppercaseletter", .uppercaseLetter), ("ll", "lowercaseletter", .lowercaseLetter),
      ("lt", "titlecaseletter", .titlecaseLetter), ("lm", "modifierletter", .modifierLetter),
      ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
      ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark),
      ("nd", "decimalnumber", .decimalNumber), ("nl", "letternumber", .letterNumber),
      ("no", "othernumber", .otherNumber), ("pc", "connectorpunctuation", .connectorPunctuation),
      ("pd", "dashpunctuation", .dashPunctuation), ("ps", "openpunctuation", .openPunctuation),
      ("pe", "closepunctuation", .closePunctuation), ("pi", "initialpunctuation", .initialPunctuation),
      ("pf", "finalpunctuation", .finalPunctuation), ("po", "otherpunctuation", .otherPunctuation),
      ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
      ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol),
      ("zs", "spaceseparator", .spaceSeparator), ("zl", "lineseparator", .lineSeparator),
      ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control), ("cf", "format", .format),
      ("cs", "surrogate", .surrogate), ("co", "privateuse", .privateUse), ("cn", "unassigned", .unassigned),
    ]
    var categories: [String: [Unicode.GeneralCategory]] = [:]
    for (short, long, category) in single { (categories[short], categories[long]) = ([category], [category]) }
    for (names, initial) in [
      (["l", "letter"], "l"), (["m", "mark", "combiningmark"], "m"), (["n", "number"], "n"),
      (["p", "punctuation", "punct"], "p"), (["s", "symbol"], "s"), (["z", "separator"], "z"), (["c", "other"], "c"),
    ] {
      for name in names { categories[name] = single.filter { $0.0.hasPrefix(initial) }.map(\.2) }
    }
    for name in ["lc", "casedletter"] { categories[name] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter] }
    for name in ["digit"] { categories[name] = [.decimalNumber] }
    for name in ["cntrl"] { categories[name] = [.control] }
    return categories
  }()
}
