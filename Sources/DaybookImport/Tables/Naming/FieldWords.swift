#if Import

/// Words for relationships, made of the names of columns and tables.
enum FieldWords {
  /// Returns the name of a column without `Id`, `ID` or `_id` at its end, or `nil` if nothing else is left.
  static func withoutID(_ column: String) -> String? {
    for end in ["_id", "_Id", "_ID", " id", " Id", " ID", "Id", "ID"] where column.hasSuffix(end) {
      let rest = column.dropLast(end.utf8.count)
      // In “PAID”, the last letters are no identity.
      if end.first?.isUppercase == true, rest.last.map({ $0.isLowercase || $0.isNumber }) != true { continue }
      return rest.isEmpty ? nil : String(rest)
    }
    return column.lowercased() == "id" ? nil : column
  }

  /// Returns the plural of an English word; a word that ends in s, other than ss, is one already.
  static func plural(_ word: String) -> String {
    let lower = word.lowercased()
    if lower.hasSuffix("s"), !lower.hasSuffix("ss") { return word }
    if ["ss", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return word + "es" }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + "s"
  }
}

#endif
