#if Macros

/// Names that properties cannot have, and names of known types.
enum Names {
  static let builtIn: Set<String> = ["id", "createdAt", "changedAt"]
  /// The words of the filter language, as in `ModelNames` of the model.
  static let reserved: Set<String> = [
    "and", "or", "not", "in", "any", "all", "none", "some", "between", "like", "matches", "contains", "beginswith",
    "endswith", "true", "false", "nil", "null", "truepredicate", "falsepredicate", "infinity",
  ]
  /// Types that the macro knows as types of attributes; their optionals are known, too.
  static let attributeTypes: Set<String> = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "Double", "Float", "Decimal",
    "Bool",
    "Timestamp", "Date", "UUID", "ObjectID", "Data", "URL",
  ]
}

#endif
