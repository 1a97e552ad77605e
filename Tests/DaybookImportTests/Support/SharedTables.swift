#if Import

import Crypto
import DaybookModel
import Foundation
import Testing

/// The files of `../shared/data/tables`, beside the repository, and what Python's modules read in them.
enum SharedTables {
  static let directory = SharedData.folder("tables") ?? ""
  static let exist = FileManager.default.fileExists(atPath: directory + "/expected.json")

  /// The trait of tests that need the files.
  static var needed: ConditionTrait { .enabled(if: exist, "needs ../shared/data/tables, or DAYBOOK_SHARED") }

  /// The trait of tests that compare with the scripts beside the files.
  static var withPython: ConditionTrait {
    .enabled(if: exist && Python.path != nil, "needs ../shared/data/tables and python3")
  }

  /// The expectations by the name of the file.
  static let expected: [String: JSONValue] = {
    let path = directory + "/expected.json"
    do {
      let json = try JSONValue(parsing: try SharedData.bytes(path))
      return Dictionary(
        uniqueKeysWithValues: (json.members ?? []).map {
          ($0.key.split(separator: "/").last.map(String.init) ?? "", $0.value)
        })
    } catch {
      print("\(path): \(error)")
      return [:]
    }
  }()

  /// Returns the names of the files in a folder.
  static func names(_ folder: String) -> [String] { SharedData.names("\(directory)/\(folder)") }

  static func path(_ folder: String, _ name: String) -> String { "\(directory)/\(folder)/\(name)" }

  static func bytes(_ folder: String, _ name: String) throws -> [UInt8] { try SharedData.bytes(path(folder, name)) }

  /// The checksum that `expected.py` computes of texts.
  static func checksum(_ lines: [[UInt8]]) -> String {
    let sorted = lines.sorted { $0.lexicographicallyPrecedes($1) }
    return SHA256.hash(data: Array(sorted.joined(separator: [0x0a]))).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }.joined()
  }

  /// Returns a string as Python writes it in JSON.
  static func json(_ text: String) -> [UInt8] {
    var output: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): output += "\\\"".utf8
      case UInt8(ascii: "\\"): output += "\\\\".utf8
      case 0x0a: output += "\\n".utf8
      case 0x0d: output += "\\r".utf8
      case 0x09: output += "\\t".utf8
      case 0x08: output += "\\b".utf8
      case 0x0c: output += "\\f".utf8
      case 0..<0x20: output += "\\u00\(byte < 16 ? "0" : "1")\(String(byte & 15, radix: 16))".utf8
      default: output.append(byte)
      }
    }
    return output + [UInt8(ascii: "\"")]
  }

  static func json(_ texts: [String]) -> [UInt8] {
    [UInt8(ascii: "[")] + texts.map(json).joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }
}

#endif
