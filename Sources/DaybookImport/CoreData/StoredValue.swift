#if Import

import DaybookModel
import Foundation
import GRDB

/// Converts a stored value to the value of an attribute.
///
/// Nothing here throws: a value that the type does not allow becomes null, with a fault for the report.
struct StoredValue {
  let stored: DatabaseValue.Storage
  let attribute: SourceAttribute
  /// The directory of the store's external files.
  let externalDirectory: String

  typealias Converted = (value: SourceValue, fault: SourceValueFault.Kind?)

  /// Returns the value, and a fault if it is not the stored one.
  func converted() -> Converted {
    if case .null = stored { return (.null, nil) }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return integer()
    case .boolean: return boolean()
    case .double, .float: return double()
    case .date: return date()
    case .decimal: return decimal()
    case .uuid: return uuid()
    case .string, .uri: return string()
    case .binary, .transformable: return data()
    case .composite, .undefined, .objectID: return (.null, .wrongType)
    }
  }

  private func converted(_ value: Value?, or fault: SourceValueFault.Kind) -> Converted {
    value.map { (.value($0), nil) } ?? (.null, fault)
  }

  private func integer() -> Converted {
    guard case .int64(let number) = stored else { return (.null, .wrongType) }
    return (.value(.integer(number)), nil)
  }

  private func boolean() -> Converted {
    switch stored {
    case .int64(let number): (.value(.boolean(number != 0)), number == 0 || number == 1 ? nil : .notZeroOrOne)
    case .double(let number): (.value(.boolean(number != 0)), .notZeroOrOne)
    default: (.null, .wrongType)
    }
  }

  private func double() -> Converted {
    switch stored {
    case .int64(let number): return (.value(.double(Double(number))), nil)
    case .double(let number):
      // Daybook has one zero.
      return number.isNaN ? (.null, .notANumber) : (.value(.double(number == 0 ? 0 : number)), nil)
    case .string(let text): return (.null, text.uppercased() == "NAN" ? .notANumber : .wrongType)
    default: return (.null, .wrongType)
    }
  }

  private func date() -> Converted {
    switch stored {
    case .int64(let seconds): converted(Timestamp(secondsSince2001: seconds).map(Value.date), or: .outOfRange)
    case .double(let seconds): converted(Timestamp(secondsSince2001: seconds).map(Value.date), or: .outOfRange)
    default: (.null, .wrongType)
    }
  }

  private func decimal() -> Converted {
    switch stored {
    case .int64(let number): return (.value(.decimal(Decimal(number))), nil)
    // The digits that print the number; the exact value of a double has many more.
    case .double(let number):
      return converted(DeclaredValue.value("\(number)", of: .decimal), or: number.isNaN ? .notANumber : .outOfRange)
    case .string(let text):
      if text.uppercased() == "NAN" { return (.null, .notANumber) }
      let isNumber = Double(text) != nil
      return converted(DeclaredValue.value(text, of: .decimal), or: isNumber ? .outOfRange : .wrongType)
    default: return (.null, .wrongType)
    }
  }

  private func uuid() -> Converted {
    guard case .blob(let data) = stored, data.count == ObjectID.byteCount else { return (.null, .wrongType) }
    return (.value(.uuid(ObjectID(bytes16: Array(data)))), nil)
  }

  /// Reads text, which is fetched as its bytes, because a conversion would end it at a NUL.
  private func string() -> Converted {
    switch stored {
    case .string(let text): return (.value(.string(text)), nil)
    case .blob(let data):
      if let text = String(validating: data, as: UTF8.self) { return (.value(.string(text)), nil) }
      return (.value(.string(String(decoding: data, as: UTF8.self))), .invalidText)
    case .int64(let number): return (.value(.string(String(number))), nil)
    case .double(let number): return (.value(.string("\(number)")), nil)
    case .null: return (.null, nil)
    }
  }

  private func data() -> Converted {
    let bytes: Data
    switch stored {
    case .blob(let data): bytes = data
    case .string(let text): bytes = Data(text.utf8)
    default: return (.null, .wrongType)
    }
    guard attribute.isExternal, let place = bytes.first else { return (.value(.data(Array(bytes))), nil) }
    switch place {
    case 1: return (.value(.data(Array(bytes.dropFirst()))), nil)
    case 2: return external(bytes.dropFirst())
    default: return (.null, .unknownStorage)
    }
  }

  /// Returns the file that the bytes name: a UUID in 36 characters, and a NUL.
  private func external(_ bytes: Data) -> Converted {
    var name = bytes
    while name.last == 0 { name.removeLast() }
    // Only a UUID is a file's name; any other text could lead out of the directory.
    let text = String(decoding: name, as: UTF8.self)
    guard ObjectID(text) != nil else { return (.null, .unknownStorage) }
    let path = externalDirectory + "/" + text
    guard let size = try? FileBytes.size(of: path) else { return (.null, .fileMissing) }
    return (.file(SourceFile(path: path, sizeInBytes: size)), nil)
  }

  /// The stored value as text for a report, shortened.
  var text: String {
    switch stored {
    case .null: "null"
    case .int64(let number): String(number)
    case .double(let number): "\(number)"
    case .string(let text): StoredValue.shortened(text)
    case .blob(let data):
      if let text = String(validating: data, as: UTF8.self) {
        // The name of an external file stands between a byte for the place and a NUL.
        StoredValue.shortened(String(text.filter { !$0.isASCII || $0 >= " " }))
      } else {
        "\(data.count) bytes"
      }
    }
  }

  private static func shortened(_ text: String) -> String { text.count > 60 ? text.prefix(59) + "…" : text }
}

#endif
