/// Progress if steps wait for each other.
extension OperationSchedule {
  /// Performs one step that waits in a cycle, or half of one.
  ///
  /// Such a cycle contains a relocation, as folders wait upwards only. If the new folder of every relocation is
  /// missing, the step inserts a folder whose name is taken; the folders above it exist, as they are inserted before
  /// it.
  mutating func breakCycle() {
    while halfwayIndex < relocations.count {
      halfwayIndex += 1
      if goHalfway(relocations[halfwayIndex - 1]) { return }
    }
    while forceableIndex < forceable.count {
      forceableIndex += 1
      let step = forceable[forceableIndex - 1]
      if steps[step].progress != .done { return perform(step) }
    }
    while insertionIndex < insertions.count {
      insertionIndex += 1
      let step = insertions[insertionIndex - 1]
      if steps[step].progress != .done { return perform(step) }
    }
    preconditionFailure("steps that wait in a cycle hold a relocation or the insertion of a folder")
  }

  /// Moves or renames a file that has to do both, if a step waits for it and the name is free.
  mutating func goHalfway(_ step: Int) -> Bool {
    guard case .relocate(let file, let origin, let target) = steps[step].kind, steps[step].progress == .waiting,
      origin.folder != target.folder, origin.name != target.name
    else { return false }
    let moved = TreeEditor.Location(folder: target.folder, name: origin.name)
    let renamed = TreeEditor.Location(folder: origin.folder, name: target.name)
    let isAwaited = !steps[step].nameWaiters.isEmpty
    if isThere(target.folder), isAwaited || !steps[step].folderWaiters.isEmpty, isFree(moved) {
      move(file, to: target)
      steps[step].progress = .moved
      halfway.insert(moved)
      releaseFolderWaiters(of: step)
    } else if isAwaited, isFree(renamed) {
      rename(file, to: target)
      steps[step].progress = .renamed
      halfway.insert(renamed)
    } else {
      return false
    }
    releaseNameWaiters(of: step)
    return true
  }

  func isThere(_ folder: Int) -> Bool {
    insertionOfFolder[folder].map { steps[$0].progress == .done } ?? true
  }

  /// Returns whether a location is free.
  ///
  /// It is occupied by an entry that is not postponed, by a file that has not left it, by a folder that is not removed
  /// yet, or by a file that has taken half of its way.
  func isFree(_ location: TreeEditor.Location) -> Bool {
    if let entry = editor.folders[location.folder].entries[location.name], !isPostponed(entry) { return false }
    if let step = relocation(from: location), steps[step].progress == .waiting { return false }
    if let step = removalAtLocation[location], steps[step].progress != .done { return false }
    return !halfway.contains(location)
  }

  /// Returns whether a folder or file is inserted only after all moves.
  func isPostponed(_ entry: TreeEditor.Entry) -> Bool {
    if let folder = entry.folder { return insertionOfFolder[folder].map { steps[$0].isPostponed } ?? false }
    guard let file = entry.file, let touch = editor.files[file].touch else { return false }
    return editor.edit.files[touch].before == nil
  }
}
