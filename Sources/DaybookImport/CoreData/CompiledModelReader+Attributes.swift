#if Import

import DaybookModel

extension CompiledModelReader {
  /// The numbers of Core Data's attribute types.
  private static let types: [Int: SourceAttributeType] = [
    0: .undefined, 100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal, 500: .double, 600: .float,
    700: .string, 800: .boolean, 900: .date, 1000: .binary, 1100: .uuid, 1200: .uri, 1800: .transformable,
    2000: .objectID,
  ]

  /// The limit on composites inside composites.
  private static let maximumCompositeDepth = 8

  /// The flag of an attribute whose large values are in files of their own.
  private static let externalFlag = 4
  /// The flag of an attribute that the history keeps after the deletion of its object.
  static let preservedFlag = 16

  mutating func attribute(
    _ name: String, _ record: [String: Int], depth: Int
  ) throws(ImportError) -> SourceAttribute {
    var attribute = SourceAttribute(name: name, type: try type(name, record, depth))
    attribute.isOptional = try archive.flag(record["NSIsOptional"])
    attribute.isTransient = try archive.flag(record["NSIsTransient"])
    let flags = try archive.integer(record["NSFlagsKey"]) ?? 0
    attribute.isExternal = attribute.type.isBytes && flags & CompiledModelReader.externalFlag != 0
    let identifier = try archive.text(record["NSRenamingIdentifier"])
    attribute.renamingIdentifier = identifier == name ? nil : identifier
    attribute.transformer = try archive.text(record["NSValueTransformerName"])
    attribute.defaultValue = try defaultValue(record["NSDefaultValue"], of: attribute.type)
    if let expression = record["NSDerivationExpression"] { attribute.derivation = try derivation(expression) }
    for predicate in try archive.elements(record["NSValidationPredicates"]) {
      try addRules(predicate, to: &attribute, depth: 0)
    }
    return attribute
  }

  private mutating func type(
    _ name: String, _ record: [String: Int], _ depth: Int
  ) throws(ImportError) -> SourceAttributeType {
    let number = try archive.integer(record["NSAttributeType"]) ?? 0
    if let type = CompiledModelReader.types[number] { return type }
    guard number == 2100, depth < CompiledModelReader.maximumCompositeDepth else {
      throw archive.fault("has an attribute \(name) of the unknown type \(number)")
    }
    var leaves: [SourceAttribute] = []
    for key in ["NSElements", "NSCompositeElements", "_elements"] {
      for reference in try archive.elements(record[key]) {
        guard let leaf = try archive.record(reference), let leafName = try archive.text(leaf["NSPropertyName"]) else {
          continue
        }
        leaves.append(try attribute(leafName, leaf, depth: depth + 1))
      }
    }
    return .composite(leaves)
  }

  /// Reads a default, which is archived as a value of the attribute's class.
  private mutating func defaultValue(_ number: Int?, of type: SourceAttributeType) throws(ImportError) -> Value? {
    guard let number else { return nil }
    switch (try archive.object(number), type) {
    case (.null, _), (_, .transformable), (_, .binary), (_, .undefined): return nil
    case (.boolean(let flag), .boolean): return .boolean(flag)
    case (.integer(let value), .boolean): return .boolean(value != 0)
    case (.boolean(let flag), _) where type.isInteger: return .integer(flag ? 1 : 0)
    case (.integer(let value), _) where type.isInteger: return .integer(value)
    case (.real(let value), _) where type.isInteger:
      return Int64(exactly: value.rounded(.towardZero)).map(Value.integer)
    case (.integer(let value), .double), (.integer(let value), .float): return .double(Double(value))
    case (.integer(let value), .decimal): return DeclaredValue.value(String(value), of: .decimal)
    case (.real(let value), .double): return value.isNaN ? nil : .double(value == 0 ? 0 : value)
    // A number of single precision stands for the decimal digits from which it was compiled.
    case (.real(let value), .float): return DeclaredValue.value("\(Float(value))", of: .double)
    case (.single(let value), _): return DeclaredValue.value("\(value)", of: type)
    case (.real(let value), .decimal): return DeclaredValue.value("\(value)", of: .decimal)
    case (.date(let seconds), .date): return Timestamp(secondsSince2001: seconds).map(Value.date)
    case (.string(let text), .string), (.string(let text), .uri): return .string(text)
    case (.dictionary, _): return try recordedDefault(number, of: type)
    default: return nil
    }
  }

  /// Reads a default that is a record: a date, a decimal number, a UUID or a URL.
  private mutating func recordedDefault(_ number: Int, of type: SourceAttributeType) throws(ImportError) -> Value? {
    guard let record = try archive.record(number) else { return nil }
    switch type {
    case .string, .uri:
      return try archive.text(record["NS.string"] == nil ? record["NS.relative"] : number).map(Value.string)
    case .date:
      switch try archive.object(record["NS.time"]) {
      case .real(let seconds): return Timestamp(secondsSince2001: seconds).map(Value.date)
      case .integer(let seconds): return Timestamp(secondsSince2001: seconds).map(Value.date)
      default: return nil
      }
    case .uuid:
      guard case .data(let bytes) = try archive.object(record["NS.uuidbytes"]), bytes.count == 16 else { return nil }
      return .uuid(ObjectID(bytes16: bytes))
    case .decimal: return try decimal(record)
    default: return nil
    }
  }

  /// Reads an archived `NSDecimalNumber`: a mantissa of up to eight 16-bit words, the least significant one first.
  private mutating func decimal(_ record: [String: Int]) throws(ImportError) -> Value? {
    guard case .data(let bytes) = try archive.object(record["NS.mantissa"]), bytes.count <= 16 else { return nil }
    // The byte order 1 is the one of Intel and Apple processors.
    let isLittle = try archive.integer(record["NS.mantissa.bo"]) ?? 1 != 2
    let wordCount = try archive.integer(record["NS.length"]) ?? 0
    guard (0...8).contains(wordCount), wordCount * 2 <= bytes.count else { return nil }
    var coefficient: UInt128 = 0
    for word in (0..<wordCount).reversed() {
      let (low, high) = isLittle ? (bytes[word * 2], bytes[word * 2 + 1]) : (bytes[word * 2 + 1], bytes[word * 2])
      coefficient = coefficient << 16 | UInt128(high) << 8 | UInt128(low)
    }
    let exponent = try archive.integer(record["NS.exponent"]) ?? 0
    guard (-128...127).contains(exponent) else { return nil }
    let parts = DecimalParts(
      isNegative: try archive.flag(record["NS.negative"]), coefficient: coefficient, exponent: exponent)
    return parts.isStorable ? .decimal(parts.decimal) : nil
  }
}

// MARK: - Expressions and predicates

extension CompiledModelReader {
  /// The limit on expressions inside expressions.
  private static let maximumDepth = 16

  /// Returns a derivation as Xcode writes it, such as `pages.@count`.
  private mutating func derivation(_ number: Int) throws(ImportError) -> String {
    let record = try archive.record(number) ?? [:]
    let function = try archive.text(record["NSSelectorName"])
    let path = try keyPath(number, depth: 0) ?? ""
    switch function {
    case "count:", "sum:", "min:", "max:", "average:":
      guard let function, !path.isEmpty else { return "" }
      let parts = path.split(separator: ".", maxSplits: 1)
      return "\(parts[0]).@\(function.dropLast())" + (parts.count > 1 ? ".\(parts[1])" : "")
    case nil, "valueForKey:", "valueForKeyPath:": return path
    case .some(let function): return function + path
    }
  }

  /// Returns the path of a key path expression, or `nil` for other expressions.
  private mutating func keyPath(_ number: Int, depth: Int) throws(ImportError) -> String? {
    guard depth < CompiledModelReader.maximumDepth, let record = try archive.record(number) else { return nil }
    if let path = record["NSKeyPath"] { return try archive.text(path) }
    var parts: [String] = []
    if let operand = record["NSOperand"], let path = try keyPath(operand, depth: depth + 1) { parts.append(path) }
    for argument in try archive.elements(record["NSArguments"]) {
      if let path = try keyPath(argument, depth: depth + 1) { parts.append(path) }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ".")
  }

  /// Adds the limits in a predicate such as `length >= 3`.
  private mutating func addRules(
    _ number: Int, to attribute: inout SourceAttribute, depth: Int
  ) throws(ImportError) {
    guard depth < CompiledModelReader.maximumDepth, let record = try archive.record(number) else { return }
    for part in try archive.elements(record["NSSubpredicates"]) {
      try addRules(part, to: &attribute, depth: depth + 1)
    }
    guard let operation = try archive.record(record["NSPredicateOperator"]),
      let constant = try archive.record(record["NSRightExpression"])?["NSConstantValue"]
    else { return }
    switch try archive.integer(operation["NSOperatorType"]) {
    case 1: try addBound(constant, to: &attribute, \.maximum, \.maximumLength)
    case 3: try addBound(constant, to: &attribute, \.minimum, \.minimumLength)
    case 6: attribute.rules.pattern = try archive.text(constant)
    default: attribute.faults.append("a validation predicate is not translated")
    }
  }

  private mutating func addBound(
    _ number: Int, to attribute: inout SourceAttribute, _ bound: WritableKeyPath<SourceRules, Value?>,
    _ length: WritableKeyPath<SourceRules, Int?>
  ) throws(ImportError) {
    if attribute.type == .string {
      attribute.rules[keyPath: length] = try archive.integer(number)
    } else {
      attribute.rules[keyPath: bound] = try defaultValue(number, of: attribute.type)
    }
  }
}

#endif
