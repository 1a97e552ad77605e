#if Import

import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML file with its attributes and child elements; text is kept only where a file needs it.
final class XMLNode {
  let name: String
  let attributes: [String: String]
  let line: Int
  var children: [XMLNode] = []
  var text = ""

  init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Returns the children with a name, in order.
  func children(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

  /// Returns the value of an attribute, or `nil` without one.
  subscript(_ key: String) -> String? { attributes[key] }

  /// Whether an attribute is `YES`.
  func isSet(_ key: String) -> Bool { attributes[key] == "YES" }
}

extension XMLNode {
  /// The limit on the size of a file, in bytes: 64 MiB.
  static let maximumSizeInBytes = 64 << 20
  /// The limit on the depth of elements; models have five levels.
  static let maximumDepth = 64
  /// The limit on the number of elements.
  static let maximumElementCount = 1_000_000

  /// Reads the root element of a file.
  ///
  /// Entities that a document declares itself are refused: a few of them expand to gigabytes, and neither models nor
  /// property lists have any.
  ///
  /// - Throws: ``ImportError`` with the line for a file that is not well-formed, or exceeds a limit.
  static func read(_ bytes: [UInt8], name: String) throws(ImportError) -> XMLNode {
    guard bytes.count <= maximumSizeInBytes else {
      throw ImportError(
        .data, "\(name) has \(bytes.count) bytes, and at most 64 MiB are read; check that it is a model")
    }
    try checkText(bytes, name)
    let reader = XMLNodeReader()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = reader
    parser.shouldResolveExternalEntities = false
    let isWhole = parser.parse()
    if let fault = reader.fault {
      throw ImportError(
        .data, "\(name), line \(max(fault.line, 1)): \(fault.text); check that it is a model as Xcode wrote it")
    }
    guard isWhole, let root = reader.root, reader.open.isEmpty else {
      throw ImportError(
        .data,
        "\(name), line \(max(parser.lineNumber, 1)): the XML is not well-formed or ends early; "
          + "take the file from the repository or a backup")
    }
    return root
  }
}

extension XMLNode {
  /// Checks that a file is text in UTF-8, which Foundation's parser needs: on Linux it traps at other bytes.
  private static func checkText(_ bytes: [UInt8], _ name: String) throws(ImportError) {
    let isText = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    guard isText, String(validating: bytes, as: UTF8.self) != nil else {
      throw ImportError(.data, "\(name) is not text in UTF-8; check that it is a model as Xcode wrote it")
    }
    guard !contains(Array("<!ENTITY".utf8), in: bytes) else {
      throw ImportError(
        .data,
        "\(name) declares entities of its own, which models do not have; check that it is a model as Xcode wrote it")
    }
    let declaration = String(decoding: bytes.prefix(200), as: UTF8.self).prefix { $0 != ">" }.lowercased()
    guard declaration.contains("<?xml"), let range = declaration.range(of: "encoding") else { return }
    let encoding = declaration[range.upperBound...].drop { " =\"'".contains($0) }.prefix { !"\"'".contains($0) }
    guard encoding == "utf-8" else {
      throw ImportError(.data, "\(name) has the encoding “\(encoding)”, and only UTF-8 is read; save it with Xcode")
    }
  }

  private static func contains(_ pattern: [UInt8], in bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: pattern[0]) {
      rest = rest[start...]
      if rest.starts(with: pattern) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

/// Collects elements while Foundation parses.
private final class XMLNodeReader: NSObject, XMLParserDelegate {
  var root: XMLNode?
  var open: [XMLNode] = []
  var count = 0
  var fault: (line: Int, text: String)?

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    guard fault == nil else { return }
    count += 1
    guard count <= XMLNode.maximumElementCount, open.count < XMLNode.maximumDepth else {
      return stop(parser, "the elements are too many or too deep")
    }
    let node = XMLNode(name: name, attributes: attributes, line: parser.lineNumber)
    if let parent = open.last { parent.children.append(node) } else if root == nil { root = node }
    open.append(node)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if fault == nil { _ = open.popLast() }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    // Only keys and strings of property lists have text; models have none but white space.
    if let node = open.last, ["key", "string"].contains(node.name) { node.text += text }
  }

  private func stop(_ parser: XMLParser, _ text: String) {
    if fault == nil { fault = (parser.lineNumber, text) }
    parser.abortParsing()
  }
}

#endif
