import DaybookMacroExpansion
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// A diagnostic of a macro.
struct Complaint: Equatable {
  let message: String
  /// The part of the source at which it is reported.
  let at: String
  /// The source with all offered fixes applied.
  let fixed: String?
}

/// Returns the members that `@Entity` or `@Event` adds to the first declaration of a source, as text.
func expandedMembers(_ source: String) throws -> String {
  let (members, _) = try expand(source)
  return members.map(\.description).joined(separator: "\n")
}

/// Returns the diagnostics of `@Entity` or `@Event` for the first declaration of a source.
func complaints(about source: String) throws -> [Complaint] {
  try expand(source).diagnostics.map { diagnostic in
    let changes = diagnostic.fixIts.flatMap(\.changes)
    return Complaint(
      message: diagnostic.message, at: diagnostic.node.trimmedDescription,
      fixed: changes.isEmpty ? nil : applying(changes, to: source))
  }
}

private func expand(_ source: String) throws -> (members: [DeclSyntax], diagnostics: [Diagnostic]) {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  guard let declaration = file.statements.first?.item.asProtocol((any DeclGroupSyntax).self),
    case .attribute(let attribute)? = declaration.attributes.first
  else { return ([], []) }
  let isEvent = attribute.attributeName.trimmedDescription == "Event"
  let macro: any (MemberMacro & ExtensionMacro).Type = isEvent ? EventMacro.self : EntityMacro.self
  func members(_ declaration: some DeclGroupSyntax) throws -> [DeclSyntax] {
    try macro.expansion(
      of: attribute, providingMembersOf: declaration, conformingTo: [], in: context)
  }
  func extend(_ declaration: some DeclGroupSyntax) throws {
    _ = try macro.expansion(
      of: attribute, attachedTo: declaration, providingExtensionsOf: TypeSyntax("Test"),
      conformingTo: [TypeSyntax("Storable")], in: context)
  }
  let members = try members(declaration)
  try extend(declaration)
  return (members, context.diagnostics)
}

private func applying(_ changes: [FixIt.Change], to source: String) -> String {
  var bytes = Array(source.utf8)
  for change in changes {
    guard case .replace(let old, let new) = change else { continue }
    let range = old.position.utf8Offset..<old.endPosition.utf8Offset
    bytes.replaceSubrange(range, with: Array(new.description.utf8))
  }
  return String(decoding: bytes, as: UTF8.self)
}
