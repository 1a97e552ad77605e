#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

@Suite(.hangLimit)
struct CSVReaderTests {
  private func rows(
    _ text: [UInt8], _ format: CSVFormat = .commas, limits: CSVLimits = CSVLimits(), piece: Int = .max
  ) throws -> [[String]] {
    var reader = CSVReader(ImportMemory(text, pieceSize: piece), format: format, limits: limits, file: "file.csv")
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row.texts) }
    #expect(try reader.next() == nil)
    return rows
  }

  private func rows(_ text: String, piece: Int = .max) throws -> [[String]] { try rows(Array(text.utf8), piece: piece) }

  @Test
  func `every combination of quotes and ends of lines is read`() throws {
    let cells = ["", "a", "a,b", "q\"q", "\"", "l\nl", "l\r\nl", "l\rl", " s ", "é"]
    var count = 0
    for (first, second) in cells.flatMap({ a in cells.map { (a, $0) } }) {
      for end in ["\n", "\r\n", "\r"] {
        for quotesAll in [false, true] {
          for last in ["", end] {
            func written(_ cell: String) -> String {
              guard quotesAll || cell.contains(where: { ",\"\n\r\r\n".contains($0) }) else { return cell }
              return "\"" + cell.replacingOccurrences(of: "\"", with: "\"\"") + "\""
            }
            let text = "h,i\(end)\(written(first)),\(written(second))\(end)x,y\(last)"
            for piece in [1, 2, .max] {
              let found = try rows(text, piece: piece)
              #expect(found == [["h", "i"], [first, second], ["x", "y"]], "\(text.debugDescription)")
              count += 1
            }
          }
        }
      }
    }
    #expect(count == 10 * 10 * 3 * 2 * 2 * 3)
  }

  /// The same grammar, written as plainly as possible.
  private func plainRows(_ text: [UInt8]) -> [[String]]? {
    var (rows, row, cell): ([[String]], [String], [UInt8]) = ([], [], [])
    var (index, isAtStart, isRowBlank) = (0, true, true)
    func isEnd(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }
    func finish() {
      if !isRowBlank { rows.append(row + [String(decoding: cell, as: UTF8.self)]) }
      (row, cell, isAtStart, isRowBlank) = ([], [], true, true)
    }
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\"") where isAtStart:
        isRowBlank = false
        isAtStart = false
        index += 1
        while true {
          guard index < text.count else { return nil }
          if text[index] == UInt8(ascii: "\"") {
            guard index + 1 < text.count, text[index + 1] == UInt8(ascii: "\"") else { break }
            index += 1
          }
          cell.append(text[index])
          index += 1
        }
        if index + 1 < text.count, text[index + 1] != UInt8(ascii: ","), !isEnd(text[index + 1]) { return nil }
      case UInt8(ascii: ","):
        row.append(String(decoding: cell, as: UTF8.self))
        (cell, isAtStart, isRowBlank) = ([], true, false)
      case 0x0d where index + 1 < text.count && text[index + 1] == 0x0a:
        index += 1
        finish()
      case 0x0a, 0x0d: finish()
      default:
        cell.append(text[index])
        (isAtStart, isRowBlank) = (false, false)
      }
      index += 1
    }
    finish()
    return rows
  }

  @Test
  func `every text of seven characters is read as by the plain reader`() throws {
    let alphabet = Array("a,\"\n\r".utf8)
    var (accepted, refused) = (0, 0)
    for length in 0...7 {
      var digits = Array(repeating: 0, count: length)
      while true {
        let text = digits.map { alphabet[$0] }
        let want = plainRows(text)
        for piece in length > 5 ? [1] : [1, 3, .max] {
          do {
            let found = try rows(text, piece: piece)
            if found != want { Issue.record("\(text): \(found), not \(String(describing: want))") }
            accepted += 1
          } catch let error as ImportError {
            if want != nil { Issue.record("\(text): \(error)") }
            refused += 1
          }
        }
        guard let place = digits.lastIndex(where: { $0 < alphabet.count - 1 }) else { break }
        digits[place] += 1
        for rest in digits.indices.dropFirst(place + 1) { digits[rest] = 0 }
      }
    }
    #expect(accepted > 10_000 && refused > 10_000)
  }

  @Test
  func `errors have the line and the column`() throws {
    func check(_ text: String, _ place: String, _ word: String) throws {
      for piece in [1, 2, .max] {
        try expectError("file.csv, " + place, word) { _ = try rows(text, piece: piece) }
      }
    }
    try check("a,b\n1,\"2\"3\n", "line 2, column 6", "closing quote")
    try check("a,b\r\n1,\t \"2\"\r\n", "line 2, column 5", "follows spaces")
    #expect(try rows("a,b\n5\" x,y\"\n") == [["a", "b"], ["5\" x", "y\""]])
    try check("é,\"x\r\ny\rz\nw\",\"", "line 4, column 4", "not closed")
    try check("a\n\"é\u{0}\"", "line 2, column 3", "U+0000")
    try check("a\r\rb\u{0}", "line 3, column 2", "U+0000")
  }

  @Test
  func `limits are refused with their place`() throws {
    var limits = CSVLimits()
    limits.cellSizeInBytes = 4
    limits.rowSizeInBytes = 7
    limits.columnCount = 3
    #expect(try rows(Array("abcd,efg\n".utf8), limits: limits) == [["abcd", "efg"]])
    try expectError("line 1, column 3", "4 bytes") { _ = try rows(Array("a,bcdef".utf8), limits: limits) }
    try expectError("line 1, column 6", "7 bytes") { _ = try rows(Array("abcd,\"efgh\"".utf8), limits: limits) }
    try expectError("line 1, column 7", "3 cells") { _ = try rows(Array("a,b,c,d".utf8), limits: limits) }
  }

  @Test
  func `encodings are read in pieces of every size`() throws {
    let text = "a,b\r\né€,\"😀\n\"\"\"\r\n"
    let want = [["a", "b"], ["é€", "😀\n\""]]
    let utf16 = Array(text.utf16)
    let little = utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    for piece in [1, 2, 3, 5, .max] {
      func read(_ bytes: [UInt8], _ encoding: TextEncoding?) throws -> [[String]] {
        try rows(bytes, CSVFormat(encoding: encoding), piece: piece)
      }
      #expect(try read([0xef, 0xbb, 0xbf] + Array(text.utf8), nil) == want)
      #expect(try read([0xef, 0xbb, 0xbf] + Array(text.utf8), .utf8) == want)
      #expect(try read([0xff, 0xfe] + little, nil) == want)
      #expect(try read([0xfe, 0xff] + big, nil) == want)
      #expect(try read([0xfe, 0xff] + big, .utf16) == want)
      #expect(try read(little, .utf16LittleEndian) == want)
      #expect(try read(big, .utf16BigEndian) == want)
      #expect(try read([0x61, 0x2c, 0xe9, 0x80, 0x0a], .latin1) == [["a", "é\u{80}"]])
      #expect(try read([0x61, 0x2c, 0xe9, 0x80, 0x0a], .windows1252) == [["a", "é€"]])
      try expectError("line 1, column 3", "0x81") { _ = try read([0x61, 0x2c, 0x81], .windows1252) }
      try expectError("line 2, column 2", "0xff", "byte 3") { _ = try read([0x61, 0x0a, 0x62, 0xff, 0x63], nil) }
      try expectError("line 1, column 2", "0xe2") { _ = try read([0x61, 0xe2, 0x82], nil) }
      try expectError("line 1, column 1", "surrogate") { _ = try read([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00], nil) }
      try expectError("half of a character") { _ = try read([0xff, 0xfe, 0x61, 0x00, 0x61], nil) }
      try expectError("UTF-32") { _ = try read([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], nil) }
      try expectError("byte order mark") { _ = try read(little, .utf16) }
      try expectError("utf-16le") { _ = try read([0xff, 0xfe] + little, .utf8) }
    }
    for encoding in TextEncoding.allCases {
      #expect(try TextEncoding(named: encoding.rawValue.uppercased()) == encoding)
    }
    #expect(try TextEncoding(named: "iso-8859-1") == .latin1)
    try expectError("klingon") { _ = try TextEncoding(named: "klingon") }
  }

  @Test
  func `invalid UTF-8 is found as by the standard library`() {
    for first in UInt8(0xc0)...0xff {
      for second in stride(from: UInt8(0x70), through: 0xd0, by: 1) {
        for rest in [[], [0x80], [0x80, 0x80], [0x80, 0x41], [0x41]] as [[UInt8]] {
          let bytes = [0x41, first, second] + rest
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          if (TextDecoder.invalidOffset(in: bytes) == nil) != isValid { Issue.record("\(bytes)") }
        }
      }
    }
  }

  @Test
  func `a delimiter is one character`() throws {
    for delimiter in [";", "|", "\t", "tab", "\\t", ":", " "] { _ = try CSVFormat(delimiter: delimiter) }
    for delimiter in ["", ";;", "a", "0", "\"", "\n", "\r", "é"] {
      try expectError("delimiter") { _ = try CSVFormat(delimiter: delimiter) }
    }
    #expect(try rows(Array("a;b,c\n".utf8), CSVFormat(delimiter: ";")) == [["a", "b,c"]])
  }

  @Test(.enabled(if: Python.path != nil, "there is no python3"))
  func `random tables that Python writes are read`() throws {
    let script = """
      import csv, io, json, random, sys
      r = random.Random(int(sys.argv[1]))
      words = ["", "a", "07", "12", "-3", "1.5", "true", "2026-01-02", "x,y", 'q"q', "l\\nl", "l\\r\\nl", "l\\rl", " s ", ";", "é", "漢字", "😀", "\\t", "#", "'", "\\\\"]
      width = r.randint(1, 5)
      rows = [["h%d" % i for i in range(width)]] + [[r.choice(words) for _ in range(width)] for _ in range(r.randint(0, 30))]
      delimiter, end = r.choice(",;\\t|"), r.choice(["\\n", "\\r\\n", "\\r"])
      encoding = r.choice(["utf-8", "utf-8-sig", "utf-16"])
      text = io.StringIO(newline="")
      csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_MINIMAL if end == "\\r\\n" and r.random() < 0.5 else csv.QUOTE_ALL).writerows(rows)
      data = text.getvalue().encode(encoding)
      print(json.dumps({"delimiter": delimiter, "rows": rows, "data": data.hex()}))
      """
    for seed in Seeds.list(Rounds.of(25)) {
      let output = try JSONValue(parsing: try Python.run(script: script, ["\(seed)"]))
      let want = try #require(output["rows"]?.elements).map { $0.elements?.compactMap(\.stringValue) ?? [] }
      let digits = Array(try #require(output["data"]?.stringValue).utf8)
      let data = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
      }
      let format = try CSVFormat(delimiter: try #require(output["delimiter"]?.stringValue))
      for piece in [1, 5, .max] { #expect(try rows(data, format, piece: piece) == want, "seed \(seed)") }
    }
  }
}

#endif
