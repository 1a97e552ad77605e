#if Import

import DaybookModel

/// Reads the objects of a JSON file, one at a time: the elements of an array, or objects on lines of their own.
///
///     var reader = JSONRecordReader(try ImportFile(path: "people.json"), file: "people.json")
///     while let record = try reader.next() { print(record.members) }
///
/// It finds the end of an object by its brackets and strings, and parses only that text, so it holds one object at a time,
/// which `JSONLimits` bounds; an array on one line of any length is read the same way. A single object is a file of one
/// object. UTF-8 and, with a byte order mark, UTF-16 are read. No input makes it trap.
package struct JSONRecordReader {
  private enum State {
    case start
    case array(isFirst: Bool)
    case lines
    case finished
  }

  private var input: TextInput
  private let limits: JSONLimits
  private var state = State.start
  /// The number of objects returned.
  package private(set) var count = 0

  package init(_ source: any ImportByteSource, limits: JSONLimits = JSONLimits(), file: String? = nil) {
    input = TextInput(source, file: file)
    self.limits = limits
  }

  /// Returns the next object, or `nil` at the end.
  ///
  /// - Throws: `ImportError` with line and column: text that is not JSON, another value than an object, a duplicate key, or an
  ///   object that exceeds a limit. After that there are no more objects.
  /// - Complexity: O(*n*) for *n* bytes of the object.
  package mutating func next() throws(ImportError) -> JSONRecord? {
    let state = self.state
    // Set first, so that an error ends the file as well.
    self.state = .finished
    let record: JSONRecord? =
      switch state {
      case .finished: nil
      case .start: try first()
      case .array(let isFirst): try element(isFirst: isFirst)
      case .lines: try line()
      }
    if record != nil { count += 1 }
    return record
  }

  private mutating func first() throws(ImportError) -> JSONRecord? {
    try skipSpace()
    guard try input.fill() else {
      throw input.error(.data, "the file has no JSON", advice: "write an array of objects, or an object on each line")
    }
    switch input.bytes[input.index] {
    case UInt8(ascii: "{"):
      let record = try object()
      state = .lines
      return record
    case UInt8(ascii: "["):
      input.skipByte()
      return try element(isFirst: true)
    default: throw try expected("an array of objects, or an object on each line")
    }
  }

  private mutating func element(isFirst: Bool) throws(ImportError) -> JSONRecord? {
    try skipSpace()
    if try input.fill(), input.bytes[input.index] == UInt8(ascii: "]") {
      input.skipByte()
      try skipSpace()
      if try input.fill() { throw try expected("the end of the file after the array") }
      return nil
    }
    if !isFirst {
      guard try input.fill(), input.bytes[input.index] == UInt8(ascii: ",") else {
        throw try expected("“,” or “]” after an object")
      }
      input.skipByte()
      try skipSpace()
    }
    guard try input.fill(), input.bytes[input.index] == UInt8(ascii: "{") else { throw try expected("an object") }
    let record = try object()
    state = .array(isFirst: false)
    return record
  }

  private mutating func line() throws(ImportError) -> JSONRecord? {
    let line = input.line
    try skipSpace()
    guard try input.fill() else { return nil }
    guard input.line > line else { throw try expected("the end of the line after an object") }
    guard input.bytes[input.index] == UInt8(ascii: "{") else { throw try expected("an object on each line") }
    let record = try object()
    state = .lines
    return record
  }

  private mutating func skipSpace() throws(ImportError) {
    while try input.fill() {
      switch input.bytes[input.index] {
      case 0x20, 0x09, 0x0a, 0x0d: input.skipByte()
      default: return
      }
    }
  }

  private mutating func expected(_ what: String) throws(ImportError) -> ImportError {
    guard try input.fill() else {
      return input.error(.data, "expected \(what), but the file ends", advice: "check that the file is complete")
    }
    let piece = input.bytes[input.index..<min(input.index + 16, input.bytes.count)]
    let character = String(decoding: piece, as: UTF8.self).first.map { "“\($0)”" } ?? "the end"
    return input.error(.data, "expected \(what), but found \(character)", advice: "correct the file")
  }

  // MARK: One object

  /// Reads the object that begins at the next byte.
  private mutating func object() throws(ImportError) -> JSONRecord {
    let place = input.place
    var scan = JSONScan()
    var text: [UInt8] = []
    while !scan.isFinished, try input.fill() {
      let end = scan.end(in: input.bytes, from: input.index)
      guard scan.deepest <= limits.depth else {
        input.skip(to: end)
        throw input.error(
          .data, "arrays and objects are nested more than \(limits.depth) deep", advice: "make the object flatter")
      }
      guard text.count + end - input.index < limits.objectSizeInBytes else {
        throw input.error(
          .data, "the object has more than \(limits.objectSizeInBytes) bytes", at: place,
          advice: "check that its brackets and quotes are closed, or divide it")
      }
      text.append(contentsOf: input.bytes[input.index..<end])
      input.skip(to: end)
      if !scan.isFinished, end < input.bytes.count { skipEndOfLine(into: &text) }
    }
    guard scan.isFinished else {
      throw input.error(
        .data, "the file ends inside the object that begins here", at: place,
        advice: "check that the file is complete, and that all brackets and quotes are closed")
    }
    return try record(text, at: place)
  }

  /// Moves past the end of a line, which is LF in the object's text, as the places of the parser's errors expect.
  private mutating func skipEndOfLine(into text: inout [UInt8]) {
    let isSecondHalf = input.isAfterReturn && input.bytes[input.index] == UInt8(ascii: "\n")
    input.skipByte()
    if !isSecondHalf { text.append(UInt8(ascii: "\n")) }
  }

  private func record(_ text: [UInt8], at place: TextPlace) throws(ImportError) -> JSONRecord {
    do {
      guard let members = try JSONValue(parsing: text).members else {
        throw input.error(.data, "expected an object", at: place, advice: "correct the file")
      }
      return JSONRecord(members: members, place: place, text: text)
    } catch let error as JSONError {
      let column = error.line == 1 ? place.column + error.column - 1 : error.column
      throw input.error(
        .data, error.message, at: TextPlace(line: place.line + error.line - 1, column: column),
        advice: "correct the file")
    } catch let error as ImportError {
      throw error
    } catch {
      throw input.error(.data, "\(error)", at: place)
    }
  }
}

#endif
