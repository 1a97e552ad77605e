/// Orders a commit's inserts, moves and removals so that each step is valid.
///
/// A step waits for others: a file for the folder it moves to, a folder for its parent; a step that takes a name for
/// the step that frees it, which moves a file or removes a folder; and the removal of a folder for every step that
/// leaves the folder. Files that move come first, with the new folders that they need, each as soon as it waits for
/// nothing and otherwise in the order of the commands. Then come the other new folders and files, for which all names
/// are free by then. Removals come last, deepest first, except the ones that other steps wait for.
///
/// Steps can wait in a cycle: `foo` becomes `foo/bar`, two files change places. Then a file with a new folder and a
/// new name takes half of its way, which costs nothing as moving and renaming are two operations anyway: it is moved or
/// renamed, if that name is free, and the steps that waited for its old place continue. If that is not possible (`a`
/// and `b` in one folder change names, `foo` becomes `foo/foo`), two siblings have the same name between two steps; the
/// alternative would be a temporary name that is not in the history. The same may happen in a tangle of several
/// cycles, as there is no search for the best solution. A folder is never removed early, as its contents would be
/// removed too.
///
/// The schedule takes time in proportion to the steps.
struct OperationSchedule {
  let editor: TreeEditor
  var operations: [TreeOperation] = []
  var steps: [Step] = []

  /// The steps that wait for nothing; `readyIndex` counts the ones done.
  var ready: [Int] = []
  var readyIndex = 0
  var postponed: [Int] = []
  /// Relocations with no free name for either half yet.
  var hindered: [Int] = []
  var hinderedIndex = 0
  var readyRemovals: [Int] = []
  var readyRemovalIndex = 0
  var pendingCount = 0

  var insertions: [Int] = []
  var relocations: [Int] = []
  var removals: [Int] = []

  var insertionOfFolder: [Int: Int] = [:]
  var relocationOfFile: [Int: Int] = [:]
  var removalOfFolder: [Int: Int] = [:]
  var removalAtLocation: [TreeEditor.Location: Int] = [:]

  /// The places of files that have taken half of their way.
  var halfway: Set<TreeEditor.Location> = []
  var halfwayIndex = 0

  /// Relocations whose new folder exists.
  var forceable: [Int] = []
  var forceableIndex = 0
  var insertionIndex = 0

  struct Step {
    enum Kind {
      case insertFolder(Int)
      case insertFile(Int)
      case relocate(Int, from: TreeEditor.Location, to: TreeEditor.Location)
      case deleteFolder(Int)
    }

    enum Progress {
      case waiting
      case moved
      case renamed
      case done
    }

    let kind: Kind
    /// Whether it runs after all moves, because none of them needs it.
    var isPostponed = false
    var progress = Progress.waiting
    var waitCount = 0
    /// Steps that wait for this one to free its name or to create its folder.
    var nameWaiters: [Int] = []
    /// The removal of the folder that this step leaves.
    var folderWaiters: [Int] = []
  }

  /// Returns the inserts, moves and deletes of the editor's commit.
  static func operations(of editor: TreeEditor) -> [TreeOperation] {
    var schedule = OperationSchedule(editor: editor)
    schedule.makeSteps()
    schedule.makeWaits()
    schedule.run()
    return schedule.operations
  }

  private init(editor: TreeEditor) {
    self.editor = editor
  }
}

// MARK: - What to do

extension OperationSchedule {
  mutating func makeSteps() {
    for folder in editor.edit.folders where editor.folders[folder].isNew && !editor.folders[folder].isRemoved {
      insertionOfFolder[folder] = steps.count
      insertions.append(addStep(.insertFolder(folder)))
    }
    var files: [Int] = []
    for (file, before) in editor.edit.files {
      guard let target = editor.files[file].location else { continue }
      guard let origin = before?.location else {
        files.append(file)
        continue
      }
      guard origin != target else { continue }
      relocationOfFile[file] = steps.count
      relocations.append(addStep(.relocate(file, from: origin, to: target)))
    }
    for file in files { addStep(.insertFile(file)) }
    makeRemovals()
    postponeInsertions()
  }

  /// Postpones all inserts that no moving file needs.
  mutating func postponeInsertions() {
    for step in steps.indices { steps[step].isPostponed = !isRelocation(step) && !isRemoval(step) }
    for relocation in relocations {
      guard case .relocate(_, _, let target) = steps[relocation].kind else { continue }
      var folder: Int? = target.folder
      while let needed = folder, let insertion = insertionOfFolder[needed], steps[insertion].isPostponed {
        steps[insertion].isPostponed = false
        folder = editor.folders[needed].parent
      }
    }
  }

  mutating func makeRemovals() {
    let removed = editor.edit.removed.filter { !editor.folders[$0].isNew }
    let deepestFirst = removed.enumerated().sorted {
      let depths = (editor.folders[$0.element].depth, editor.folders[$1.element].depth)
      return depths.0 != depths.1 ? depths.0 > depths.1 : $0.offset < $1.offset
    }
    for (_, folder) in deepestFirst {
      removalOfFolder[folder] = steps.count
      if let location = location(ofFolder: folder) { removalAtLocation[location] = steps.count }
      removals.append(addStep(.deleteFolder(folder)))
    }
  }

  @discardableResult
  mutating func addStep(_ kind: Step.Kind) -> Int {
    steps.append(Step(kind: kind))
    return steps.count - 1
  }

  func location(ofFolder folder: Int) -> TreeEditor.Location? {
    let slot = editor.folders[folder]
    return slot.parent.map { TreeEditor.Location(folder: $0, name: slot.name) }
  }
}

// MARK: - What waits for what

extension OperationSchedule {
  mutating func makeWaits() {
    for step in steps.indices {
      switch steps[step].kind {
      case .insertFolder(let folder):
        if let location = location(ofFolder: folder) { waitForPlace(location, step) }
      case .insertFile(let file):
        if let location = editor.files[file].location { waitForPlace(location, step) }
      case .relocate(_, let origin, let target):
        if insertionOfFolder[target.folder] == nil { forceable.append(step) }
        waitForPlace(target, step)
        if let removal = removalOfFolder[origin.folder] { wait(removal, forLeaving: step) }
      case .deleteFolder(let folder):
        guard let parent = editor.folders[folder].parent, let removal = removalOfFolder[parent] else { continue }
        wait(removal, forLeaving: step)
      }
    }
    for step in steps.indices where steps[step].waitCount == 0 { makeReady(step) }
  }

  /// Makes a step wait for its folder, and for the steps that free its name.
  mutating func waitForPlace(_ location: TreeEditor.Location, _ step: Int) {
    if let insertion = insertionOfFolder[location.folder] { wait(step, for: insertion) }
    if let relocation = relocation(from: location) { wait(step, for: relocation) }
    if let removal = removalAtLocation[location] { wait(step, for: removal) }
  }

  /// Returns the step that moves a file away from a location, or `nil` if no file does.
  ///
  /// A deleted file has no step, because it is deleted earlier.
  func relocation(from location: TreeEditor.Location) -> Int? {
    editor.edit.origins[location].flatMap { relocationOfFile[$0] }
  }

  mutating func wait(_ step: Int, for other: Int) {
    steps[other].nameWaiters.append(step)
    steps[step].waitCount += 1
  }

  mutating func wait(_ step: Int, forLeaving other: Int) {
    steps[other].folderWaiters.append(step)
    steps[step].waitCount += 1
  }

  mutating func makeReady(_ step: Int) {
    if isRemoval(step) {
      readyRemovals.append(step)
    } else if steps[step].isPostponed {
      postponed.append(step)
    } else {
      ready.append(step)
    }
  }
}
