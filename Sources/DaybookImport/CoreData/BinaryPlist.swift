#if Import

/// A binary property list, including the references that keyed archives use.
///
///     let plist = try BinaryPlist(bytes, name: "Z_PLIST of Recipes.sqlite")
///     if case .dictionary(let keys, let values) = try plist.object(plist.top) { … }
///
/// Foundation's reader on Linux does not return these references (UIDs), hence this one. It decodes one object per
/// call, and containers return the numbers of their elements, so it never recurses: a list that contains itself, or
/// that refers a thousand times to one list, costs nothing until a caller follows it.
///
/// No bytes make it trap: every offset and count is compared with the size of the file before it is used.
package struct BinaryPlist: Sendable {
  private let bytes: [UInt8]
  private let offsetTable: Int
  private let offsetSize: Int
  private let referenceSize: Int
  /// The number of objects.
  package let count: Int
  /// The number of the outermost object.
  package let top: Int
  /// The origin of the bytes, for messages.
  package let name: String

  /// An object; elements of containers are numbers of objects.
  package enum Object: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// A number of 32 bits, which keyed archives use for single precision.
    case single(Float)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference into the objects of a keyed archive.
    case uid(Int)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  /// The limit on the size of a file, in bytes: 64 MiB.
  package static let maximumSizeInBytes = 64 << 20

  /// Whether bytes begin as a binary property list.
  package static func isLikely(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: Array("bplist0".utf8)) }

  /// Reads the trailer of a property list.
  ///
  /// - Throws: ``ImportError`` for bytes that are not a binary property list, or that end too early.
  package init(_ bytes: [UInt8], name: String) throws(ImportError) {
    self.bytes = bytes
    self.name = name
    guard BinaryPlist.isLikely(bytes), bytes.count >= 40, bytes.count <= BinaryPlist.maximumSizeInBytes else {
      throw BinaryPlist.fault("is not a binary property list", name)
    }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = BinaryPlist.number(in: bytes, at: trailer + 8, size: 8), count > 0,
      let top = BinaryPlist.number(in: bytes, at: trailer + 16, size: 8), top < count,
      let table = BinaryPlist.number(in: bytes, at: trailer + 24, size: 8), table >= 8, table <= trailer,
      count <= (trailer - table) / offsetSize
    else { throw BinaryPlist.fault("has a trailer that does not fit its size", name) }
    self.count = count
    self.top = top
    offsetTable = table
  }

  /// Returns an object.
  ///
  /// - Throws: ``ImportError`` for a number without an object, and an object that is unknown or ends after the file.
  /// - Complexity: O(*n*) for an object of *n* bytes or elements.
  package func object(_ number: Int) throws(ImportError) -> Object {
    guard number >= 0, number < count,
      let offset = BinaryPlist.number(in: bytes, at: offsetTable + number * offsetSize, size: offsetSize),
      offset >= 8, offset < offsetTable
    else { throw fault("has no object \(number)") }
    let marker = bytes[offset]
    let low = Int(marker & 0x0f)
    switch marker >> 4 {
    case 0x0: return try constant(low, number)
    case 0x1: return .integer(try integer(at: offset + 1, size: 1 << low))
    case 0x2: return try real(at: offset + 1, size: 1 << low)
    case 0x3: return .date(Double(bitPattern: try word(at: offset + 1, size: 8)))
    case 0x8: return .uid(Int(clamping: try word(at: offset + 1, size: low + 1)))
    default: return try sized(marker >> 4, low, at: offset)
    }
  }

  private func constant(_ low: Int, _ number: Int) throws(ImportError) -> Object {
    switch low {
    case 0: return .null
    case 8: return .boolean(false)
    case 9: return .boolean(true)
    default: throw fault("has an object \(number) of an unknown type")
    }
  }

  private func integer(at offset: Int, size: Int) throws(ImportError) -> Int64 {
    guard size <= 16 else { throw fault("has an integer of \(size) bytes") }
    // Integers of 16 bytes are numbers of 64 bits without a sign; their first half is zero.
    let start = size == 16 ? offset + 8 : offset
    let word = try word(at: start, size: min(size, 8))
    return size == 16 ? Int64(clamping: word) : Int64(bitPattern: word)
  }

  private func real(at offset: Int, size: Int) throws(ImportError) -> Object {
    switch size {
    case 4: return .single(Float(bitPattern: UInt32(truncatingIfNeeded: try word(at: offset, size: 4))))
    case 8: return .real(Double(bitPattern: try word(at: offset, size: 8)))
    default: throw fault("has a number of \(size) bytes")
    }
  }
}

// MARK: - Objects with a size

extension BinaryPlist {
  private func sized(_ type: UInt8, _ low: Int, at offset: Int) throws(ImportError) -> Object {
    var (size, start) = (low, offset + 1)
    if low == 0x0f {
      guard start < offsetTable, bytes[start] >> 4 == 1, bytes[start] & 0x0f <= 3 else {
        throw fault("has a size that is not an integer")
      }
      let width = 1 << Int(bytes[start] & 0x0f)
      size = Int(clamping: try word(at: start + 1, size: width))
      start += 1 + width
    }
    switch type {
    case 0x4: return .data(Array(try slice(start, size)))
    case 0x5: return .string(String(decoding: try slice(start, size), as: UTF8.self))
    case 0x6: return .string(try utf16(start, size))
    case 0x7: return .string(String(decoding: try slice(start, size), as: UTF8.self))
    case 0xA, 0xB, 0xC: return .array(try references(start, size))
    case 0xD:
      let all = try references(start, size.multipliedReportingOverflow(by: 2).overflow ? Int.max : size * 2)
      return .dictionary(keys: Array(all[..<size]), values: Array(all[size...]))
    default: throw fault("has an object of the unknown type \(type)")
    }
  }

  private func slice(_ start: Int, _ size: Int) throws(ImportError) -> ArraySlice<UInt8> {
    guard start <= offsetTable, size >= 0, size <= offsetTable - start else { throw fault("ends inside an object") }
    return bytes[start..<(start + size)]
  }

  private func utf16(_ start: Int, _ size: Int) throws(ImportError) -> String {
    guard size <= offsetTable / 2 else { throw fault("ends inside an object") }
    let units = try slice(start, size * 2)
    return String(
      decoding: stride(from: units.startIndex, to: units.endIndex, by: 2).map {
        UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
      }, as: UTF16.self)
  }

  private func references(_ start: Int, _ size: Int) throws(ImportError) -> [Int] {
    guard size <= offsetTable / referenceSize else { throw fault("ends inside a list") }
    _ = try slice(start, size * referenceSize)
    var numbers: [Int] = []
    numbers.reserveCapacity(size)
    for index in 0..<size {
      numbers.append(Int(clamping: try word(at: start + index * referenceSize, size: referenceSize)))
    }
    return numbers
  }

  private func word(at offset: Int, size: Int) throws(ImportError) -> UInt64 {
    try slice(offset, size).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a number that fits `Int`, or `nil` for a larger one or beyond the end.
  private static func number(in bytes: [UInt8], at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { return nil }
    return Int(exactly: bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func fault(_ text: String) -> ImportError { BinaryPlist.fault(text, name) }

  private static func fault(_ text: String, _ name: String) -> ImportError {
    ImportError(.data, "\(name) \(text); it is damaged, so take it from a backup")
  }
}

#endif
