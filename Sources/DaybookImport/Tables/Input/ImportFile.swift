#if Import

import Foundation

/// The bytes of a regular file, which is closed when the last copy of the value is released.
package struct ImportFile: ImportByteSource {
  private let handle: FileHandle
  private let path: String

  /// Opens a file for reading.
  ///
  /// - Throws: `ImportError` of the kind `inputOutput` if the file does not exist, is not a regular file or cannot be opened.
  package init(path: String) throws(ImportError) {
    // Each table is read twice, which a pipe does not allow.
    _ = try FileBytes.state(of: path)
    do {
      handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch {
      throw ImportError(unreadable: path, error)
    }
    self.path = path
  }

  package func read(upTo count: Int) throws(ImportError) -> [UInt8] {
    do {
      return try handle.read(upToCount: count).map { Array($0) } ?? []
    } catch {
      throw ImportError(unreadable: path, error)
    }
  }
}

#endif
