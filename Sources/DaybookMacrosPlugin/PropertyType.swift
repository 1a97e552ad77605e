#if Macros

import SwiftSyntax

/// The kind of a property, inferred from its written type.
enum PropertyType {
  case value
  case toOne(target: String, isOptional: Bool)
  case toMany(target: String)
  /// A type that cannot be stored: the reason, and a replacement.
  case unfit(String, instead: String?)

  init(_ type: TypeSyntax, in entity: String) {
    if let optional = type.as(OptionalTypeSyntax.self) {
      self = PropertyType(optional.wrappedType, in: entity).madeOptional
    } else if let forced = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      self = .unfit("a value that may be missing is an optional", instead: "\(forced.wrappedType.trimmedDescription)?")
    } else if let array = type.as(ArrayTypeSyntax.self) {
      self = PropertyType.list(of: array.element, in: entity)
    } else if let member = type.as(MemberTypeSyntax.self), member.name.text == "ID" {
      let base = member.baseType.trimmedDescription
      self = .toOne(target: base == "Self" ? entity : base, isOptional: false)
    } else if let name = type.as(IdentifierTypeSyntax.self) {
      self = PropertyType(named: name, in: entity)
    } else {
      self = PropertyType.complaint(about: type).map { .unfit($0, instead: nil) } ?? .value
    }
  }

  private init(named type: IdentifierTypeSyntax, in entity: String) {
    let argument = type.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)
    switch (type.name.text, argument) {
    case ("ID", nil): self = .toOne(target: entity, isOptional: false)
    case ("EntityID", let target?): self = .toOne(target: target.trimmedDescription, isOptional: false)
    case ("Related", let target?): self = .toMany(target: target.trimmedDescription)
    case ("Optional", let wrapped?): self = PropertyType(wrapped, in: entity).madeOptional
    case ("Array", let element?), ("Set", let element?): self = PropertyType.list(of: element, in: entity)
    case ("UInt", nil), ("UInt64", nil): self = .unfit("integers have 64 bits and a sign", instead: "Int")
    case ("Character", nil): self = .unfit("text is stored as strings", instead: "String")
    case ("Any", nil), ("AnyObject", nil): self = .unfit("the store must know the type of a value", instead: nil)
    default: self = .value
    }
  }

  private static func list(of element: TypeSyntax, in entity: String) -> PropertyType {
    guard case .toOne(let target, _) = PropertyType(element, in: entity) else { return .value }
    return .unfit("objects that are related to many are a Related", instead: "Related<\(target)>")
  }

  private static func complaint(about type: TypeSyntax) -> String? {
    switch type.kind {
    case .tupleType: "a tuple cannot be stored; make it a struct that is a CodableValue"
    case .functionType: "a function cannot be stored"
    case .someOrAnyType: "the store must know the type of a value"
    case .metatypeType: "a type cannot be stored"
    case .attributedType:
      type.as(AttributedTypeSyntax.self)?.baseType.is(FunctionTypeSyntax.self) == true
        ? "a function cannot be stored" : nil
    default: nil
    }
  }

  private var madeOptional: PropertyType {
    switch self {
    case .toOne(let target, _): .toOne(target: target, isOptional: true)
    case .toMany(let target): .unfit("a to-many relationship may always be empty", instead: "Related<\(target)>")
    case .unfit(let reason, let instead?) where !instead.hasPrefix("Related<") && !instead.hasSuffix("?"):
      .unfit(reason, instead: instead + "?")
    case .value, .unfit: self
    }
  }
}

/// The words of Swift that need backticks as names of properties.
enum Keywords {
  static let needBackticks: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "fileprivate", "for", "func", "guard", "if", "import", "init", "inout",
    "internal", "is", "let", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "try", "typealias", "var",
    "where", "while",
  ]
}

#endif
