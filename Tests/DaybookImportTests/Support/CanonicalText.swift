#if Import

import DaybookModel
import Foundation

@testable import DaybookImport

/// Writes values as `expected.py` does, whose top has the rules.
enum CanonicalText {
  static func text(_ value: SourceValue) throws -> String {
    switch value {
    case .value(let value): return text(value)
    case .file(let file): return bytes(try SharedData.bytes(file.path))
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): String(number)
    case .boolean(let flag): String(flag)
    case .double(let number): quoted("f:" + hexadecimal(number.bitPattern))
    case .string(let text): quoted(text)
    case .date(let time): quoted(time.description)
    case .decimal, .uuid: quoted(value.text)
    case .data(let data): bytes(data)
    case .large(let value): quoted(value.description)
    }
  }

  private static func bytes(_ data: [UInt8]) -> String {
    quoted("\(data.count):\(Digest(hashing: data.rawSpan))")
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Quotes text as Python's `json.dumps` without escapes for letters beyond ASCII.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{8}": result += "\\b"
      case "\u{c}": result += "\\f"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns one line an object, in the form of `expected.py --rows`.
  static func lines(of objects: CoreDataObjects) throws -> [String] {
    let lookup = objects.lookup
    var targets: [String: [String]] = [:]
    for field in objects.relationships {
      _ = try objects.forEachLink(of: field) { link in
        targets["\(objects.objectName(link.source)).\(field.name)", default: []].append(
          quoted(objects.objectName(link.target)))
      }
    }
    var lines: [String] = []
    let names = lookup.model.entities.map(\.name).sorted(by: CompiledModelReader.precedes)
    for entity in names {
      let fields = objects.attributes(of: entity)
      let relationships = lookup.relationships(of: entity).filter { !$0.relationship.isTransient }
      try objects.forEachObject(of: entity) { object in
        let values = try zip(fields, object.values).map { "\(quoted($0.field.name)):\(try text($1))" }
        let key = objects.objectName(object.key)
        let links = relationships.map { field, relationship in
          let found = targets["\(key).\(field.name)"] ?? []
          let value = relationship.isToMany ? "[\(found.joined(separator: ","))]" : found.first ?? "null"
          return "\(quoted(field.name)):\(value)"
        }
        lines.append(
          "{\"entity\":\(quoted(entity)),\"key\":\(quoted(key)),\"values\":{\(values.joined(separator: ","))},"
            + "\"links\":{\(links.joined(separator: ","))}}")
      }
    }
    return lines
  }
}

#endif
