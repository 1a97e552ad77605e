import SwiftDiagnostics
import SwiftSyntax

/// What cannot be stored, or was said where it has no meaning.
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

  /// The fault at a place, with what would mend it.
  func diagnostic(at node: some SyntaxProtocol, fixes: [FixIt] = []) -> Diagnostic {
    Diagnostic(node: Syntax(node), message: self, fixIts: fixes)
  }
}

/// What a fix-it says that it does.
struct Remedy: FixItMessage {
  let message: String
  var fixItID: MessageID { MessageID(domain: "Daybook", id: message) }
}

extension FixIt {
  /// Puts another text in the place of a node, whose surrounding blanks stay.
  static func replacing(_ node: some SyntaxProtocol, with text: String, _ message: String? = nil) -> FixIt {
    var replacement = Syntax(TokenSyntax(.identifier(text), presence: .present))
    replacement.leadingTrivia = node.leadingTrivia
    replacement.trailingTrivia = node.trailingTrivia
    return FixIt(
      message: Remedy(message: message ?? "use “\(text)”"),
      changes: [.replace(oldNode: Syntax(node), newNode: replacement)])
  }

  /// Takes a node away.
  static func removing(_ node: some SyntaxProtocol, _ message: String) -> FixIt {
    FixIt(
      message: Remedy(message: message),
      changes: [.replace(oldNode: Syntax(node), newNode: Syntax(TokenSyntax(.identifier(""), presence: .present)))])
  }
}
