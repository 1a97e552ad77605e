#if Import

import Foundation

/// Reads files, with errors in this library's words.
enum FileBytes {
  /// Returns the bytes of a file.
  ///
  /// - Throws: ``ImportError`` for a file that does not exist, cannot be read or is larger than the limit.
  static func read(_ path: String, atMost limit: Int) throws(ImportError) -> [UInt8] {
    let size = try size(of: path)
    guard size <= limit else {
      throw ImportError(
        .data, "\(path) has \(size) bytes, and at most \(limit) are read; check that it is the right file")
    }
    return try part(of: path, from: 0, count: size)
  }

  /// Returns at most `count` bytes from an offset.
  static func part(of path: String, from offset: Int, count: Int) throws(ImportError) -> [UInt8] {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }  // Closing a file that was only read loses nothing.
      if offset > 0 { try handle.seek(toOffset: UInt64(offset)) }
      return Array(try handle.read(upToCount: count) ?? Data())
    } catch {
      throw ImportError(unreadable: path, error)
    }
  }

  /// Returns the size of a file in bytes.
  ///
  /// - Throws: ``ImportError`` for a path without a file.
  static func size(of path: String) throws(ImportError) -> Int { try state(of: path).size }

  /// The size and time of a file, by which a change is noticed.
  struct State: Equatable {
    let size: Int
    let modified: Date
  }

  static func state(of path: String) throws(ImportError) -> State {
    // Links are followed, as everywhere a file is opened.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw ImportError(.inputOutput, "\(path) is not a regular file; give the path of the file itself")
      }
      return State(
        size: (attributes[.size] as? NSNumber)?.intValue ?? 0,
        modified: attributes[.modificationDate] as? Date ?? .distantPast)
    } catch let error as ImportError {
      throw error
    } catch {
      throw ImportError(unreadable: path, error)
    }
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }
}

#endif
