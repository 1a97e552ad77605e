#if Macros

import DaybookTestSupport
import Foundation
import Testing

/// The plugin that the compiler loads, as a process that is sent the compiler's messages.
///
/// A message is an object in JSON after its length in eight bytes; its form is defined in `PluginMessages.swift` of
/// swift-syntax, protocol version 7.
enum MacroPlugin {
  /// What the plugin answered: the generated code, and the diagnostics.
  struct Expansion {
    var code: String
    var complaints: [Complaint]
  }

  /// A declaration with the attribute that is expanded.
  private struct Attached {
    let source: String
    /// The attribute as it is written, with its arguments.
    let attribute: Range<String.Index>

    init(_ attribute: String, in source: String) throws {
      let name = try #require(source.firstRange(of: "@" + attribute))
      let rest = source[name.upperBound...]
      let end = rest.first == "(" ? try #require(rest.firstIndex(of: ")").map(source.index(after:))) : name.upperBound
      self.source = source
      self.attribute = name.lowerBound..<end
    }

    func syntax(_ kind: String, _ range: Range<String.Index>) -> [String: Any] {
      let before = source[..<range.lowerBound]
      let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
      return [
        "kind": kind, "source": String(source[range]),
        "location": [
          "fileID": "Test/test.swift", "fileName": "test.swift", "offset": before.utf8.count,
          "line": lines.count, "column": lines[lines.count - 1].utf8.count + 1,
        ],
      ]
    }
  }

  /// Expands the attribute `@Entity` or `@Event` of a declaration, in both of its roles.
  ///
  /// - Parameter source: One declaration with its attributes.
  static func expand(_ source: String) throws -> (members: Expansion, conformance: Expansion) {
    let isEvent = source.contains("@Event")
    let macro = isEvent ? "Event" : "Entity"
    let attached = try Attached(macro, in: source)
    let placeholder = "struct Placeholder: \(isEvent ? "Recordable" : "Fetchable, Storable, Derivable") {}"
    let type = try #require(source.firstMatch(of: /(?:struct|class|enum) (\w+)/)).output.1
    let replies = try exchange([
      message(attached, type: macro + "Macro", role: "member"),
      message(
        attached, type: macro + "Macro", role: "extension",
        extending: fragment("type", String(type)), conformances: fragment("declaration", placeholder)),
    ])
    return (try expansion(replies[0], of: source), try expansion(replies[1], of: source))
  }

  /// Expands an attribute of a property or struct that generates no code.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - declaration: The declaration that has it.
  ///   - outer: The declaration around that one.
  static func expandMark(_ attribute: String, of declaration: String, in outer: String? = nil) throws -> Expansion {
    let attached = try Attached(attribute, in: declaration)
    let context = outer.map { [fragment("declaration", $0)] } ?? []
    let replies = try exchange([message(attached, type: "PropertyMacro", role: "peer", context: context)])
    return try expansion(replies[0], of: declaration)
  }

  private static func fragment(_ kind: String, _ source: String) -> [String: Any] {
    [
      "kind": kind, "source": source,
      "location": ["fileID": "Test/other.swift", "fileName": "other.swift", "offset": 0, "line": 1, "column": 1],
    ]
  }

  private static func message(
    _ attached: Attached, type: String, role: String, extending: [String: Any]? = nil,
    conformances: [String: Any]? = nil, context: [[String: Any]] = []
  ) -> [String: Any] {
    let source = attached.source
    var content: [String: Any] = [
      "macro": ["moduleName": "DaybookMacrosPlugin", "typeName": type, "name": type], "macroRole": role,
      "discriminator": "test", "attributeSyntax": attached.syntax("attribute", attached.attribute),
      "declSyntax": attached.syntax("declaration", source.startIndex..<source.endIndex), "lexicalContext": context,
    ]
    content["extendedTypeSyntax"] = extending
    content["conformanceListSyntax"] = conformances
    return ["expandAttachedMacro": content]
  }

  private static func expansion(_ reply: [String: Any], of source: String) throws -> Expansion {
    let result = try #require(reply["expandMacroResult"] as? [String: Any], "\(reply)")
    let diagnostics = try #require(result["diagnostics"] as? [[String: Any]])
    return Expansion(
      code: result["expandedSource"] as? String ?? "",
      complaints: try diagnostics.map { try Complaint($0, of: source) })
  }

  /// Sends messages, and returns the replies.
  private static func exchange(_ messages: [[String: Any]]) throws -> [[String: Any]] {
    var input = Data()
    for message in [["getCapability": ["capability": ["protocolVersion": 7]]]] + messages {
      let payload = try JSONSerialization.data(withJSONObject: message)
      withUnsafeBytes(of: UInt64(payload.count).littleEndian) { input.append(contentsOf: $0) }
      input.append(payload)
    }
    // The messages come from a file, because a pipe that fills up would stop both sides.
    let directory = try TemporaryDirectory()
    try input.write(to: URL(fileURLWithPath: directory.path("messages")))
    let process = Process()
    let output = Pipe()
    process.executableURL = try BuiltProduct.url("DaybookMacrosPlugin-tool")
    process.standardInput = FileHandle(forReadingAtPath: directory.path("messages"))
    process.standardOutput = output
    try process.run()
    var bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    var replies: [[String: Any]] = []
    while !bytes.isEmpty {
      let length = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      replies.append(
        try #require(JSONSerialization.jsonObject(with: bytes.dropFirst(8).prefix(length)) as? [String: Any]))
      bytes = Data(bytes.dropFirst(8 + length))
    }
    try #require(replies.count == messages.count + 1)
    return Array(replies.dropFirst())
  }
}

/// A diagnostic of a macro.
struct Complaint: Equatable {
  let message: String
  /// The part of the source at which it is reported.
  let at: String
  /// The source with all offered fixes applied.
  let fixed: String?
}

extension Complaint {
  /// Reads a diagnostic of the plugin's reply.
  fileprivate init(_ diagnostic: [String: Any], of source: String) throws {
    let bytes = Array(source.utf8)
    func range(_ range: Any?) throws -> Range<Int> {
      let range = try #require(range as? [String: Any])
      return try #require(range["startOffset"] as? Int)..<#require(range["endOffset"] as? Int)
    }
    message = try #require(diagnostic["message"] as? String)
    let highlights = try #require(diagnostic["highlights"] as? [Any])
    at = String(decoding: bytes[try range(highlights.first)], as: UTF8.self)
    let fixes = try #require(diagnostic["fixIts"] as? [[String: Any]])
    let changes = fixes.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
    var fixed = bytes
    for change in changes {
      fixed.replaceSubrange(try range(change["range"]), with: try #require(change["newText"] as? String).utf8)
    }
    self.fixed = changes.isEmpty ? nil : String(decoding: fixed, as: UTF8.self)
  }
}

/// Returns the members that `@Entity` or `@Event` adds to a declaration, as text.
func expandedMembers(_ source: String) throws -> String {
  try MacroPlugin.expand(source).members.code
}

/// Returns the diagnostics of `@Entity` or `@Event` for a declaration.
func complaints(about source: String) throws -> [Complaint] {
  let (members, conformance) = try MacroPlugin.expand(source)
  return members.complaints + conformance.complaints
}

/// Compares what `@Entity` or `@Event` adds to a declaration.
func expectExpansion(
  _ source: String, members: String, conformance: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let expansion = try MacroPlugin.expand(source)
  #expect(expansion.members.code == members, sourceLocation: sourceLocation)
  #expect(expansion.conformance.code == conformance, sourceLocation: sourceLocation)
  #expect(expansion.members.complaints + expansion.conformance.complaints == [], sourceLocation: sourceLocation)
}

#endif
