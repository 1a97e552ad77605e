extension TreeEditor {
  /// Creates an editor of an existing tree, to continue an import.
  ///
  ///     let editor = try TreeEditor(
  ///       folders: [TreeFolder(id: NodeID(0), parent: nil, name: "")],
  ///       files: [TreeFile(id: NodeID(1), folder: NodeID(0), name: "a", mode: .file, blob: blob)])
  ///
  /// The numbers are the caller's, 0 to half of `Int.max`; new nodes receive numbers after the largest. Names are
  /// encoded by `PathText`.
  ///
  /// - Parameters:
  ///   - folders: The folders in any order, including the root, which has no parent and the name "".
  ///   - files: The files in any order.
  /// - Throws: `TreeError` with kind `.notATree`, naming the invalid node.
  /// - Complexity: O(*n*) for *n* nodes.
  package init(folders adopted: [TreeFolder], files adoptedFiles: [TreeFile]) throws(TreeError) {
    self.init()
    let slots = try adoptFolders(adopted)
    try measureDepths()
    for file in adoptedFiles { try adopt(file, slots) }
    let ids = adopted.map(\.id) + adoptedFiles.map(\.id)
    guard Set(ids).count == ids.count, ids.allSatisfy({ (0...Int.max / 2).contains($0.rawValue) }) else {
      throw Self.notATree("two nodes have one number, or a number is out of range")
    }
    nextNode = (ids.map(\.rawValue).max() ?? -1) + 1
    edit = Edit()
  }

  /// Assigns a slot to each folder, the first one to the root.
  ///
  /// - Returns: The slot of each folder's number.
  private mutating func adoptFolders(_ adopted: [TreeFolder]) throws(TreeError) -> [NodeID: Int] {
    let roots = adopted.filter { $0.parent == nil }
    guard roots.count == 1, let root = roots.first, root.name.isEmpty else {
      throw Self.notATree("\(roots.count) folders have no parent; one must, the root, with the name \"\"")
    }
    var slots = [root.id: Self.root]
    folders[Self.root] = FolderSlot(id: root.id, parent: nil, name: PathName([]), depth: 0, isNew: false)
    for folder in adopted where folder.parent != nil {
      slots[folder.id] = folders.count
      let name = PathName(PathText.decode(folder.name))
      folders.append(FolderSlot(id: folder.id, parent: nil, name: name, depth: 0, isNew: false))
    }
    for folder in adopted {
      guard let parent = folder.parent, let slot = slots[folder.id] else { continue }
      let location = try place(folder.name, in: parent, slots)
      folders[slot].parent = location.folder
      folders[location.folder].entries[location.name] = Entry(folder: slot)
    }
    return slots
  }

  /// Checks that a node's name is valid in a path and not taken.
  private func place(_ name: String, in folder: NodeID, _ slots: [NodeID: Int]) throws(TreeError) -> Location {
    guard let slot = slots[folder] else {
      throw Self.notATree("`\(name)` is in folder \(folder), which is not there")
    }
    let bytes = PathText.decode(name)
    guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else {
      throw Self.notATree("`\(name)` is not a name of a path")
    }
    let location = Location(folder: slot, name: PathName(bytes))
    guard folders[slot].entries[location.name] == nil else {
      throw Self.notATree("two nodes in folder \(folder) have the name `\(name)`")
    }
    return location
  }

  /// Computes each folder's depth from the root down.
  ///
  /// Throws if the root does not reach a folder.
  private mutating func measureDepths() throws(TreeError) {
    var reached = [Self.root]
    var index = 0
    while index < reached.count {
      let folder = reached[index]
      for child in folders[folder].entries.values.compactMap(\.folder) {
        folders[child].depth = folders[folder].depth + 1
        reached.append(child)
      }
      index += 1
    }
    guard reached.count == folders.count else {
      throw Self.notATree("\(folders.count - reached.count) folders are in each other and not in the root")
    }
  }

  private mutating func adopt(_ file: TreeFile, _ slots: [NodeID: Int]) throws(TreeError) {
    let location = try place(file.name, in: file.folder, slots)
    folders[location.folder].entries[location.name] = Entry(file: files.count)
    files.append(FileSlot(id: file.id, location: location, mode: file.mode, blob: file.blob, lastWrite: 0))
  }

  private static func notATree(_ message: String) -> TreeError {
    TreeError(
      kind: .notATree, message: "\(message): the tree was changed by hand; import the history into a new store")
  }
}
