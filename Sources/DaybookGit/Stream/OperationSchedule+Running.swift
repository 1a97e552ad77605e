/// Running the steps, one after the other.
extension OperationSchedule {
  mutating func run() {
    performPending(where: { !$0.isPostponed })
    for step in steps.indices { steps[step].isPostponed = false }
    ready += postponed
    performPending(where: { $0.progress != .done })
    for removal in removals { perform(removal) }
  }

  /// Performs all steps that a condition selects, and the removals that they wait for.
  mutating func performPending(where isMeant: (Step) -> Bool) {
    pendingCount = steps.indices.count { !isRemoval($0) && isMeant(steps[$0]) }
    while pendingCount > 0 {
      if readyIndex < ready.count {
        readyIndex += 1
        performUnlessHindered(ready[readyIndex - 1])
      } else if readyRemovalIndex < readyRemovals.count {
        readyRemovalIndex += 1
        perform(readyRemovals[readyRemovalIndex - 1])
      } else if hinderedIndex < hindered.count {
        hinderedIndex += 1
        perform(hindered[hinderedIndex - 1])
      } else {
        breakCycle()
      }
    }
  }

  /// Performs a step, or defers it once if it would meet a sibling of the same name halfway.
  mutating func performUnlessHindered(_ step: Int) {
    guard case .relocate(_, let origin, let target) = steps[step].kind, steps[step].progress == .waiting,
      origin.folder != target.folder, origin.name != target.name,
      !isFree(.init(folder: target.folder, name: origin.name)), !isFree(.init(folder: origin.folder, name: target.name))
    else { return perform(step) }
    hindered.append(step)
  }

  mutating func perform(_ step: Int) {
    guard steps[step].progress != .done else { return }
    switch steps[step].kind {
    case .insertFolder(let folder):
      let slot = editor.folders[folder]
      let name = PathText.encode(slot.name.bytes)
      operations.append(.insertFolder(id(ofFolder: folder), parent: slot.parent.map(id(ofFolder:)), name: name))
      forceable += steps[step].nameWaiters.filter { isRelocation($0) }
    case .insertFile(let file): insertFile(file)
    case .relocate(let file, let origin, let target): relocate(step, file, from: origin, to: target)
    case .deleteFolder(let folder): operations.append(.deleteFolder(id(ofFolder: folder)))
    }
    steps[step].progress = .done
    if !isRemoval(step) { pendingCount -= 1 }
    releaseNameWaiters(of: step)
    releaseFolderWaiters(of: step)
  }

  mutating func insertFile(_ file: Int) {
    let slot = editor.files[file]
    guard let location = slot.location else { preconditionFailure("a file that is inserted has a place") }
    operations.append(
      .insertFile(
        id(ofFile: file), folder: id(ofFolder: location.folder), name: PathText.encode(location.name.bytes),
        mode: slot.mode, blob: slot.blob))
  }

  /// Performs both halves of a relocation, or the remaining one.
  mutating func relocate(
    _ step: Int, _ file: Int, from origin: TreeEditor.Location, to target: TreeEditor.Location
  ) {
    let moves = origin.folder != target.folder && steps[step].progress != .moved
    let renames = origin.name != target.name && steps[step].progress != .renamed
    let moved = TreeEditor.Location(folder: target.folder, name: origin.name)
    let renamed = TreeEditor.Location(folder: origin.folder, name: target.name)
    if steps[step].progress == .moved { halfway.remove(moved) }
    if steps[step].progress == .renamed { halfway.remove(renamed) }
    guard moves, renames, !isFree(moved), isFree(renamed) else {
      if moves { move(file, to: target) }
      if renames { rename(file, to: target) }
      return
    }
    rename(file, to: target)
    move(file, to: target)
  }

  mutating func move(_ file: Int, to target: TreeEditor.Location) {
    operations.append(.move(id(ofFile: file), to: id(ofFolder: target.folder)))
  }

  mutating func rename(_ file: Int, to target: TreeEditor.Location) {
    operations.append(.rename(id(ofFile: file), name: PathText.encode(target.name.bytes)))
  }

  mutating func releaseNameWaiters(of step: Int) {
    for waiter in steps[step].nameWaiters { release(waiter) }
    steps[step].nameWaiters = []
  }

  mutating func releaseFolderWaiters(of step: Int) {
    for waiter in steps[step].folderWaiters { release(waiter) }
    steps[step].folderWaiters = []
  }

  mutating func release(_ step: Int) {
    steps[step].waitCount -= 1
    if steps[step].waitCount == 0 { makeReady(step) }
  }

  func isRelocation(_ step: Int) -> Bool {
    if case .relocate = steps[step].kind { true } else { false }
  }

  func isRemoval(_ step: Int) -> Bool {
    if case .deleteFolder = steps[step].kind { true } else { false }
  }

  func id(ofFolder folder: Int) -> NodeID {
    guard let id = editor.folders[folder].id else { preconditionFailure("a folder in the tree has a number") }
    return id
  }

  func id(ofFile file: Int) -> NodeID {
    guard let id = editor.files[file].id else { preconditionFailure("a file in the tree has a number") }
    return id
  }
}
