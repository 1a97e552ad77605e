/// The commands on the flat map.
extension TreeEditor {
  /// `M`: sets the file at the path.
  mutating func write(_ path: GitPath, _ mode: GitMode, _ blob: GitHash) throws(TreeError) {
    let location = try makeLocation(path.names.map { PathName($0) })
    write(location, mode, blob)
  }

  /// `D`: deletes the file, or every file below the path if no file is at it.
  ///
  /// Deleting nothing is no error, as in git.
  mutating func delete(_ path: GitPath) {
    let (file, folder) = find(path)
    if let file {
      detach(file)
    } else if let folder {
      detachFiles(below: folder)
    }
  }

  /// `R`: moves the file, or every file below the path if no file is at it; replaces the target.
  mutating func rename(_ source: GitPath, to target: GitPath) throws(TreeError) {
    guard source != target else { return }
    let (file, folder) = find(source)
    if let file {
      let location = try makeLocation(target.names.map { PathName($0) })
      detach(file)
      replace(at: location, with: file)
      return
    }
    let moved = try filesBelow(folder, of: source)
    for (file, _) in moved { detach(file) }
    clear(target)
    for (file, names) in moved {
      replace(at: try makeLocation(target.names.map { PathName($0) } + names), with: file)
    }
  }

  /// `C`: copies the file, or every file below the path if no file is at it; replaces the target.
  mutating func copy(_ source: GitPath, to target: GitPath) throws(TreeError) {
    guard source != target else { return }
    let (file, folder) = find(source)
    if let file { return try write(target, files[file].mode, files[file].blob) }
    let copied = try filesBelow(folder, of: source).map { (state: files[$0.file], names: $0.names) }
    clear(target)
    for (state, names) in copied {
      write(try makeLocation(target.names.map { PathName($0) } + names), state.mode, state.blob)
    }
  }

  /// Removes the files at and below a path, so that a folder can replace them.
  private mutating func clear(_ path: GitPath) {
    let (file, folder) = find(path)
    if let file { detach(file) }
    if let folder { detachFiles(below: folder) }
  }

  /// Returns the files of a folder; throws if it has none.
  private func filesBelow(
    _ folder: Int?, of path: GitPath
  ) throws(TreeError) -> [(file: Int, names: [PathName])] {
    let found = folder.map { filesBelow($0) } ?? []
    guard !found.isEmpty else {
      throw TreeError(
        kind: .missingSource,
        message: "`\(path)` is renamed or copied but is not there; write the stream again, of the whole history")
    }
    return found
  }
}

// MARK: - Files

extension TreeEditor {
  private mutating func write(_ location: Location, _ mode: GitMode, _ blob: GitHash) {
    writeCount += 1
    guard let file = folders[location.folder].entries[location.name]?.file else {
      attach(fileReturning(to: location) ?? makeFile(mode, blob), at: location)
      return set(fileAt(location), mode, blob)
    }
    files[file].lastWrite = writeCount
    set(file, mode, blob)
  }

  private mutating func set(_ file: Int, _ mode: GitMode, _ blob: GitHash) {
    guard files[file].mode != mode || files[file].blob != blob else { return }
    touch(file)
    files[file].mode = mode
    files[file].blob = blob
  }

  private func fileAt(_ location: Location) -> Int {
    guard let file = folders[location.folder].entries[location.name]?.file else {
      preconditionFailure("a file was just put there")
    }
    return file
  }

  /// Returns the file that was at a location before the commit and was deleted in it.
  ///
  /// Writing to the location restores this file.
  private func fileReturning(to location: Location) -> Int? {
    guard let file = edit.origins[location], files[file].location == nil else { return nil }
    return file
  }

  private mutating func makeFile(_ mode: GitMode, _ blob: GitHash) -> Int {
    let slot = FileSlot(id: nil, location: nil, mode: mode, blob: blob, lastWrite: 0)
    let file = freeFiles.popLast() ?? files.count
    if file == files.count { files.append(slot) } else { files[file] = slot }
    touch(file)
    return file
  }

  private mutating func replace(at location: Location, with file: Int) {
    writeCount += 1
    if let replaced = folders[location.folder].entries[location.name]?.file { detach(replaced) }
    attach(file, at: location)
  }

  private mutating func attach(_ file: Int, at location: Location) {
    files[file].location = location
    files[file].lastWrite = writeCount
    folders[location.folder].entries[location.name, default: Entry()].file = file
    if folders[location.folder].entries[location.name]?.folder != nil { edit.contested.append(location) }
  }

  /// Removes a file from the map; it is deleted unless it is attached again.
  mutating func detach(_ file: Int) {
    guard let location = files[file].location else { return }
    touch(file)
    files[file].location = nil
    folders[location.folder].entries[location.name]?.file = nil
    if folders[location.folder].entries[location.name]?.folder == nil {
      folders[location.folder].entries[location.name] = nil
    }
    touchFolder(location.folder)
    if let touch = files[file].touch, edit.files[touch].before?.location == location {
      edit.origins[location] = file
    }
  }

  /// Removes all files of a folder from the map.
  mutating func detachFiles(below folder: Int) {
    for (file, _) in filesBelow(folder) { detach(file) }
  }

  /// Records a file's state before the commit.
  private mutating func touch(_ file: Int) {
    guard files[file].touch == nil else { return }
    files[file].touch = edit.files.count
    let before = files[file].location.map {
      FileState(location: $0, mode: files[file].mode, blob: files[file].blob)
    }
    edit.files.append((file, before))
  }
}
