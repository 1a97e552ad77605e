/// The difference between the two ends of a commit, as operations.
extension TreeEditor {
  /// Returns the commit's changes as operations, and prepares the editor for the next commit.
  mutating func makeOperations() -> [TreeOperation] {
    nameNewNodes()
    // Deleted files come first, as they free their names and wait for nothing; contents come last, as nothing waits for
    // them.
    let operations = deletions() + OperationSchedule.operations(of: self) + settings()
    clean()
    return operations
  }

  /// Assigns a number to each new folder and file.
  private mutating func nameNewNodes() {
    for folder in edit.folders where folders[folder].isNew && !folders[folder].isRemoved {
      folders[folder].id = makeNode()
    }
    for (file, _) in edit.files where files[file].id == nil && files[file].location != nil {
      files[file].id = makeNode()
    }
  }

  private mutating func makeNode() -> NodeID {
    defer { nextNode += 1 }
    return NodeID(nextNode)
  }

  private func deletions() -> [TreeOperation] {
    edit.files.compactMap { file, _ in
      guard files[file].location == nil, let id = files[file].id else { return nil }
      return .deleteFile(id)
    }
  }

  private func settings() -> [TreeOperation] {
    edit.files.compactMap { file, before in
      let slot = files[file]
      guard let before, let id = slot.id, slot.location != nil else { return nil }
      guard slot.mode != before.mode || slot.blob != before.blob else { return nil }
      return .setFile(
        id, mode: slot.mode == before.mode ? nil : slot.mode, blob: slot.blob == before.blob ? nil : slot.blob)
    }
  }

  /// Ends the commit: frees the slots of removed nodes, and resets all marks.
  private mutating func clean() {
    for (file, _) in edit.files {
      files[file].touch = nil
      if files[file].location == nil { freeFiles.append(file) }
    }
    for folder in edit.folders {
      folders[folder].isTouched = false
      folders[folder].isNew = false
      if folders[folder].isRemoved { freeFolders.append(folder) }
    }
    edit = Edit()
  }
}
