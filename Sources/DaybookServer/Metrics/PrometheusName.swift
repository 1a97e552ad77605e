#if Server

/// Names and dimensions as Prometheus writes them.
enum PrometheusName {
  /// Returns a name in which each other character is an underscore.
  static func made(of label: String) -> String {
    let characters = label.unicodeScalars.map { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        ? Character(scalar) : "_"
    }
    let name = String(characters)
    return name.first.map { $0.isNumber ? "_" + name : name } ?? "_"
  }

  /// Returns a name that ends in the suffix of its kind.
  static func suffixed(_ label: String, _ suffix: String) -> String {
    let name = made(of: label)
    return name.hasSuffix(suffix) ? name : name + suffix
  }

  /// Returns dimensions in braces, sorted by name, or nothing without dimensions.
  static func labels(_ dimensions: [(String, String)]) -> String {
    if dimensions.isEmpty { return "" }
    let pairs = dimensions.map { "\(made(of: $0.0))=\"\(escaped($0.1))\"" }
    return "{\(pairs.sorted().joined(separator: ","))}"
  }

  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
  }
}

#endif
