/// The folders that the paths need, and the files below a folder.
extension TreeEditor {
  /// Returns the file and the folder at a path.
  ///
  /// The root is a folder; an empty folder may be one that the commit emptied.
  func find(_ path: GitPath) -> (file: Int?, folder: Int?) {
    var names = path.names[...]
    guard let last = names.popLast() else { return (nil, Self.root) }
    var folder = Self.root
    for name in names {
      guard let next = folders[folder].entries[PathName(name)]?.folder else { return (nil, nil) }
      folder = next
    }
    let entry = folders[folder].entries[PathName(last)]
    return (entry?.file, entry?.folder)
  }

  /// Returns the location for a list of names, and creates missing folders on the path.
  mutating func makeLocation(_ names: [PathName]) throws(TreeError) -> Location {
    guard let last = names.last else {
      throw TreeError(
        kind: .rootIsNoFile, message: "a command makes a file of the root; check that the stream is unchanged")
    }
    guard names.count <= Self.maximumDepth else {
      throw TreeError(kind: .tooDeep, message: "a path has \(names.count) names, more than \(Self.maximumDepth)")
    }
    var folder = Self.root
    for name in names.dropLast() {
      folder = folders[folder].entries[name]?.folder ?? makeFolder(name, in: folder)
    }
    return Location(folder: folder, name: last)
  }

  private mutating func makeFolder(_ name: PathName, in parent: Int) -> Int {
    let slot = FolderSlot(id: nil, parent: parent, name: name, depth: folders[parent].depth + 1)
    let folder = freeFolders.popLast() ?? folders.count
    if folder == folders.count { folders.append(slot) } else { folders[folder] = slot }
    folders[parent].entries[name, default: Entry()].folder = folder
    if folders[parent].entries[name]?.file != nil {
      edit.contested.append(Location(folder: parent, name: name))
    }
    touchFolder(folder)
    return folder
  }

  /// Marks a folder that may have to be inserted or deleted at the end of the commit.
  mutating func touchFolder(_ folder: Int) {
    guard !folders[folder].isTouched else { return }
    folders[folder].isTouched = true
    edit.folders.append(folder)
  }

  /// Returns all files below a folder with their relative names, sorted by the names' bytes.
  ///
  /// It is a loop and not a recursion, because the stream determines the depth.
  func filesBelow(_ folder: Int) -> [(file: Int, names: [PathName])] {
    var found: [(file: Int, names: [PathName])] = []
    var pending: [(folder: Int, names: [PathName])] = [(folder, [])]
    while let (folder, names) = pending.popLast() {
      var inner: [(folder: Int, names: [PathName])] = []
      for (name, entry) in folders[folder].entries.sorted(by: { $0.key < $1.key }) {
        if let file = entry.file { found.append((file, names + [name])) }
        if let folder = entry.folder { inner.append((folder, names + [name])) }
      }
      pending.append(contentsOf: inner.reversed())
    }
    return found
  }
}

// MARK: - The end of a commit

extension TreeEditor {
  /// Turns the map into a tree after a commit's last command.
  mutating func settle() {
    removeEmptyFolders()
    guard !edit.contested.isEmpty else { return }
    for file in filesToEvict() { detach(file) }
    removeEmptyFolders()
  }

  /// Removes touched folders that are empty, and their parents if these become empty.
  private mutating func removeEmptyFolders() {
    for touched in edit.folders {
      var folder = touched
      while let parent = folders[folder].parent, folders[folder].entries.isEmpty, !folders[folder].isRemoved {
        folders[folder].isRemoved = true
        edit.removed.append(folder)
        let name = folders[folder].name
        folders[parent].entries[name]?.folder = nil
        if folders[parent].entries[name]?.file == nil { folders[parent].entries[name] = nil }
        touchFolder(parent)
        folder = parent
      }
    }
  }

  /// Returns the files to remove where a path is both a file and a folder.
  ///
  /// Writing a file removes the files above and below that conflict with it. So a file is removed if a conflicting one
  /// was written after it, even if that one was removed too.
  private func filesToEvict() -> [Int] {
    var evicted: [Int] = []
    for location in edit.contested {
      let entry = folders[location.folder].entries[location.name]
      guard let file = entry?.file, let folder = entry?.folder else { continue }
      let lastWrite = files[file].lastWrite
      let below = filesBelow(folder).map(\.file)
      if below.contains(where: { files[$0].lastWrite > lastWrite }) { evicted.append(file) }
      evicted += below.filter { files[$0].lastWrite < lastWrite }
    }
    return evicted
  }
}
