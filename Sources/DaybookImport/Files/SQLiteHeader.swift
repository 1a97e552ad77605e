#if Import

/// The facts in the first bytes of a database, by which files of other kinds, encrypted ones and cut ones are refused.
struct SQLiteHeader {
  let pageSize: Int
  let isInLogMode: Bool
  let pageCount: Int

  private static let size = 100

  /// Reads the first bytes of a file.
  ///
  /// - Parameters:
  ///   - path: The file, without links.
  ///   - name: The path for messages.
  ///   - isComplete: Whether no other file has pages of the database, so that its size follows from the header.
  /// - Throws: ``ImportError`` for a file that is not a readable SQLite database, with its kind in words.
  static func read(_ path: String, as name: String, isComplete: Bool) throws(ImportError) -> SQLiteHeader {
    guard !FileBytes.isDirectory(path) else {
      throw ImportError(.usage, "\(name) is a directory; give the SQLite file itself, such as Model.sqlite")
    }
    let fileSize = try FileBytes.size(of: path)
    let bytes = try FileBytes.part(of: path, from: 0, count: size)
    guard fileSize > 0 else {
      throw ImportError(.data, "\(name) is empty; give the database with its rows, and its -wal beside it")
    }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else { throw foreignFormat(bytes, fileSize, name) }
    guard bytes.count == size else {
      throw ImportError(.data, "\(name) ends in its header; it is cut or damaged, so take it from a backup")
    }
    let stored = Int(bytes[16]) << 8 | Int(bytes[17])
    let pageSize = stored == 1 ? 65_536 : stored
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else {
      throw ImportError(.data, "\(name) has pages of \(pageSize) bytes; it is damaged, so take it from a backup")
    }
    let pageCount = number(bytes, at: 28)
    // An old version of SQLite does not update the number of pages, and then these two differ.
    let isCounted = pageCount > 0 && number(bytes, at: 24) == number(bytes, at: 92)
    guard !isComplete || !isCounted || fileSize >= pageCount * pageSize else {
      throw ImportError(
        .data,
        "\(name) has \(fileSize) bytes of a database of \(pageCount * pageSize); copy it again, completely")
    }
    return SQLiteHeader(pageSize: pageSize, isInLogMode: bytes[18] == 2 || bytes[19] == 2, pageCount: pageCount)
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
    bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the error for a file that does not begin as a database.
  private static func foreignFormat(_ bytes: [UInt8], _ size: Int, _ name: String) -> ImportError {
    if bytes.starts(with: Array("<?xml".utf8)) {
      return ImportError(
        .usage,
        "\(name) is an XML file, not an SQLite database; give a model with --model, and migrate an XML store to SQLite")
    }
    if BinaryPlist.isLikely(bytes) {
      return ImportError(
        .usage, "\(name) is a property list, not an SQLite database; migrate a binary store to SQLite")
    }
    let start = bytes.prefix(16)
    if start.allSatisfy({ (0x20..<0x7f).contains($0) || [0x09, 0x0a, 0x0d].contains($0) }) {
      return ImportError(
        .usage,
        "\(name) is not an SQLite database: it begins with the text “\(String(decoding: start, as: UTF8.self))”; choose "
          + "the import for its kind, such as csv or json")
    }
    // An encrypted file has whole pages of bytes without a pattern.
    if size % 512 == 0, bytes.filter({ $0 >= 0x80 }).count > 20 {
      return ImportError(
        .usage,
        "\(name) is encrypted, probably by SQLCipher; export it with the application's key into a plain database "
          + "(`sqlcipher_export`), and import that")
    }
    return ImportError(
      .data,
      "\(name) is not an SQLite database: its first 16 bytes are not “SQLite format 3”; it is damaged, encrypted "
        + "(SQLCipher) or another kind of file")
  }
}

#endif
