#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// A fault: a property that cannot be stored, or an attribute without meaning at its place.
struct EntityFault: DiagnosticMessage {
  let message: String
  let name: String

  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { MessageID(domain: "Daybook", id: name) }

  init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  static func outside(_ attribute: String) -> EntityFault {
    EntityFault("outside", "@\(attribute) says something of an entity; put @Entity before the struct")
  }

  /// Returns the diagnostic at a place, with its fix-its.
  func diagnostic(at node: some SyntaxProtocol, fixes: [FixIt] = []) -> Diagnostic {
    Diagnostic(node: Syntax(node), message: self, fixIts: fixes)
  }
}

/// The message of a fix-it.
struct Remedy: FixItMessage {
  let message: String
  var fixItID: MessageID { MessageID(domain: "Daybook", id: message) }
}

extension FixIt {
  /// Replaces a node by another text; keeps the surrounding blanks.
  static func replacing(_ node: some SyntaxProtocol, with text: String, _ message: String? = nil) -> FixIt {
    var replacement = Syntax(TokenSyntax(.identifier(text), presence: .present))
    replacement.leadingTrivia = node.leadingTrivia
    replacement.trailingTrivia = node.trailingTrivia
    return FixIt(
      message: Remedy(message: message ?? "use “\(text)”"),
      changes: [.replace(oldNode: Syntax(node), newNode: replacement)])
  }

  /// Removes a node.
  static func removing(_ node: some SyntaxProtocol, _ message: String) -> FixIt {
    FixIt(
      message: Remedy(message: message),
      changes: [.replace(oldNode: Syntax(node), newNode: Syntax(TokenSyntax(.identifier(""), presence: .present)))])
  }
}

#endif
