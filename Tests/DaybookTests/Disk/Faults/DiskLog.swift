import Foundation

/// The disk calls of a program, in order, from the log of `Tests/FaultyDisk`.
struct DiskLog {
  enum Call {
    case create(file: UInt64, path: String)
    case resize(file: UInt64, size: Int)
    case write(file: UInt64, offset: Int, bytes: [UInt8])
    case flush(file: UInt64)
    case flushDirectory(path: String)
    case makeDirectory(path: String)
    case rename(path: String, to: String)
    case remove(path: String)
    case print(String)
    /// A call that was made to fail, with the letter of its kind.
    case failure(path: String, kind: String, offset: Int)
  }

  struct Malformed: Error {
    let offset: Int
  }

  private(set) var calls: [Call] = []

  init(file: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    var offset = 0
    while offset < bytes.count { calls.append(try DiskLog.call(in: bytes, at: &offset)) }
  }

  /// Returns all output of the program before a call.
  func printed(before end: Int) -> String {
    calls[..<end].map { if case .print(let text) = $0 { text } else { "" } }.joined()
  }

  var failure: (path: String, kind: String, offset: Int)? {
    for case .failure(let path, let kind, let offset) in calls { return (path, kind, offset) }
    return nil
  }

  private static func call(in bytes: [UInt8], at offset: inout Int) throws -> Call {
    let headSize = 25
    let start = offset
    guard bytes.count - start >= headSize else { throw Malformed(offset: start) }
    func number(_ first: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[start + first + $1]) << (8 * $1) }
    }
    let (firstSize, secondSize) = (number(17, 4), number(21, 4))
    guard bytes.count - start - headSize >= firstSize + secondSize else { throw Malformed(offset: start) }
    let middle = start + headSize + firstSize
    offset = middle + secondSize
    let first = String(decoding: bytes[(start + headSize)..<middle], as: UTF8.self)
    let second = Array(bytes[middle..<offset])
    let file = UInt64(number(1, 8))
    let place = number(9, 8)
    switch Character(Unicode.Scalar(bytes[start])) {
    case "c": return .create(file: file, path: first)
    case "t": return .resize(file: file, size: place)
    case "w": return .write(file: file, offset: place, bytes: second)
    case "s": return .flush(file: file)
    case "d": return .flushDirectory(path: first)
    case "m": return .makeDirectory(path: first)
    case "r": return .rename(path: first, to: String(decoding: second, as: UTF8.self))
    case "u": return .remove(path: first)
    case "p": return .print(String(decoding: second, as: UTF8.self))
    case "x": return .failure(path: first, kind: String(decoding: second, as: UTF8.self), offset: place)
    default: throw Malformed(offset: start)
    }
  }
}
