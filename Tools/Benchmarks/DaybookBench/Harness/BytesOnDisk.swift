import Foundation

/// What the files below a directory occupy; a hole in a file counts nothing.
func bytesOnDisk(below directory: URL) throws -> Int {
  try sum(below: directory) { Int($0.st_blocks) * 512 }
}

/// How long the files below a directory are, holes included.
func fileSize(below directory: URL) throws -> Int {
  try sum(below: directory) { Int($0.st_size) }
}

private func sum(below directory: URL, _ size: (stat) -> Int) throws -> Int {
  guard let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil) else { return 0 }
  var total = 0
  for case let file as URL in files {
    // Not by URLResourceValues: their allocated size counts blocks of 4,096 bytes on Linux where stat(2) means 512.
    var status = stat()
    guard lstat(file.path(percentEncoded: false), &status) == 0 else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: file.path(percentEncoded: false)])
    }
    if status.st_mode & S_IFMT == S_IFREG { total += size(status) }
  }
  return total
}
