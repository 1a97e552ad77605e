import Foundation

/// The bytes of a file, a pipe or standard input.
///
///     var source = FileSource(.standardInput)
///
/// It does not close the handle. On a pipe a read waits until the buffer is full or the other side ends, which costs
/// nothing as the reader cannot use half a command.
package struct FileSource: ByteSource {
  private let handle: FileHandle

  package init(_ handle: FileHandle) {
    self.handle = handle
  }

  package func read(upTo count: Int) throws -> [UInt8] {
    try handle.read(upToCount: count).map { Array($0) } ?? []
  }
}
