extension PageFile {
  /// The contents as they are sent: of scripts and styles without the lines that are only a comment, which are a tenth of
  /// their weight.
  ///
  /// The lines are empty, so that places in a browser's messages are places in the file. No text over several lines may
  /// have a line that begins as a comment does.
  package var sentContents: [UInt8] {
    guard name.hasSuffix(".js") || name.hasSuffix(".css") else { return contents }
    var isInside = false
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      let words = PageFile.trimmed(line)
      let ends = words.suffix(2).elementsEqual("*/".utf8)
      if isInside {
        isInside = !ends
        return ArraySlice<UInt8>()
      }
      if name.hasSuffix(".js"), words.starts(with: "//".utf8) { return [] }
      guard words.starts(with: "/*".utf8) else { return line }
      let isWhole = PageFile.contains(words.dropFirst(2), "*/")
      if isWhole, !ends { return line }
      isInside = !isWhole
      return []
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = line.firstIndex { $0 != UInt8(ascii: " ") } ?? line.endIndex
    return line[start...]
  }

  private static func contains(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    zip(bytes, bytes.dropFirst()).contains { pair in [pair.0, pair.1].elementsEqual(text.utf8) }
  }
}
