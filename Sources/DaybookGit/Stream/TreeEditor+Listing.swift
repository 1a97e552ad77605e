/// The contents of the tree, in the order of `git ls-tree -r`.
extension TreeEditor {
  /// A file with its whole path.
  package struct ListedFile: Hashable, Sendable {
    package let id: NodeID
    package let path: GitPath
    package let mode: GitMode
    package let blob: GitHash
  }

  /// Returns the files between two commits, sorted by the bytes of their paths.
  ///
  /// - Complexity: O(*n* log *n*) for *n* files.
  package func listing() -> [ListedFile] {
    filesBelow(Self.root).compactMap { file, names in
      let slot = files[file]
      guard let id = slot.id else { return nil }
      let path = Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
      return ListedFile(id: id, path: GitPath(bytes: path), mode: slot.mode, blob: slot.blob)
    }.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
  }

  /// Returns the paths, with a newline after each.
  package func pathListing() -> [UInt8] {
    var bytes: [UInt8] = []
    for file in listing() { bytes += file.path.bytes + [UInt8(ascii: "\n")] }
    return bytes
  }

  /// Returns a line `mode blob<TAB>path` for each file.
  package func entryListing() -> [UInt8] {
    var bytes: [UInt8] = []
    for file in listing() {
      bytes += "\(file.mode) \(file.blob)\t".utf8
      bytes += file.path.bytes + [UInt8(ascii: "\n")]
    }
    return bytes
  }
}
