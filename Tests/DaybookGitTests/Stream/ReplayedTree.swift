import Testing

@testable import DaybookGit

/// A tree of folders and files that performs operations, and checks that each is valid.
struct ReplayedTree {
  struct File: Hashable {
    var folder: NodeID
    var name: String
    var mode: GitMode
    var blob: GitHash
  }

  struct Folder: Hashable {
    var parent: NodeID?
    var name: String
  }

  private(set) var folders: [NodeID: Folder] = [:]
  private(set) var files: [NodeID: File] = [:]

  /// The number of times that two siblings had the same name in the last commit.
  private(set) var clashCount = 0

  private struct Place: Hashable {
    var folder: NodeID?
    var name: [UInt8]
  }

  /// The number of nodes with each name, to detect clashes.
  private var names: [Place: Int] = [:]
  private var childCounts: [NodeID: Int] = [:]
  private var usedIDs: Set<NodeID> = []

  mutating func apply(_ operations: [TreeOperation], _ comment: Comment? = nil) {
    clashCount = 0
    var counts: [NodeID: [Int]] = [:]
    for operation in operations { apply(operation, &counts, comment) }
    // Each node is inserted, set, renamed, moved and deleted at most once, and an inserted or deleted node has no other
    // change.
    for (node, kinds) in counts where Set(kinds).count != kinds.count || (kinds.count > 1 && kinds.contains(0)) {
      Issue.record("\(node) is changed more than once: \(operations)\(comment.map { ", \($0)" } ?? "")")
    }
    if names.values.contains(where: { $0 > 1 }) {
      Issue.record("two siblings have one name\(comment.map { ", \($0)" } ?? "")")
    }
  }

  private mutating func apply(_ operation: TreeOperation, _ counts: inout [NodeID: [Int]], _ comment: Comment?) {
    let isSound: Bool
    switch operation {
    case .insertFolder(let node, let parent, let name):
      counts[node, default: []].append(0)
      isSound =
        usedIDs.insert(node).inserted && (parent.map { folders[$0] != nil } ?? (folders.isEmpty && name.isEmpty))
      folders[node] = Folder(parent: parent, name: name)
      take(parent, name)
    case .insertFile(let node, let folder, let name, let mode, let blob):
      counts[node, default: []].append(0)
      isSound = usedIDs.insert(node).inserted && folders[folder] != nil && !name.isEmpty
      files[node] = File(folder: folder, name: name, mode: mode, blob: blob)
      take(folder, name)
    case .setFile(let node, let mode, let blob):
      counts[node, default: []].append(1)
      let file = files[node]
      isSound = file != nil && (mode != nil || blob != nil) && mode != file?.mode && blob != file?.blob
      if let mode { files[node]?.mode = mode }
      if let blob { files[node]?.blob = blob }
    case .rename(let node, let name):
      counts[node, default: []].append(2)
      isSound = files[node].map { Array($0.name.utf8) != Array(name.utf8) } ?? false
      relocate(node) { $0.name = name }
    case .move(let node, let folder):
      counts[node, default: []].append(3)
      isSound = files[node] != nil && files[node]?.folder != folder && folders[folder] != nil
      relocate(node) { $0.folder = folder }
    case .deleteFile(let node):
      counts[node, default: []].append(0)
      isSound = files[node] != nil
      if let file = files.removeValue(forKey: node) { leave(file.folder, file.name) }
    case .deleteFolder(let node):
      counts[node, default: []].append(0)
      isSound = folders[node]?.parent != nil && childCounts[node, default: 0] == 0
      if let folder = folders.removeValue(forKey: node) { leave(folder.parent, folder.name) }
    }
    if !isSound { Issue.record("\(operation) makes no sense\(comment.map { ", \($0)" } ?? "")") }
  }

  private mutating func relocate(_ node: NodeID, _ body: (inout File) -> Void) {
    guard var file = files[node] else { return }
    leave(file.folder, file.name)
    body(&file)
    take(file.folder, file.name)
    files[node] = file
  }

  private mutating func take(_ folder: NodeID?, _ name: String) {
    let place = Place(folder: folder, name: Array(name.utf8))
    names[place, default: 0] += 1
    if names[place, default: 0] > 1 { clashCount += 1 }
    if let folder { childCounts[folder, default: 0] += 1 }
  }

  private mutating func leave(_ folder: NodeID?, _ name: String) {
    let place = Place(folder: folder, name: Array(name.utf8))
    names[place, default: 0] -= 1
    if names[place] == 0 { names[place] = nil }
    if let folder { childCounts[folder, default: 0] -= 1 }
  }

  /// Returns an editor of this tree, which may reuse the numbers of removed nodes.
  mutating func takeOver() throws -> TreeEditor {
    usedIDs = Set(folders.keys).union(files.keys)
    return try TreeEditor(
      folders: folders.map { TreeFolder(id: $0.key, parent: $0.value.parent, name: $0.value.name) },
      files: files.map { node, file in
        TreeFile(id: node, folder: file.folder, name: file.name, mode: file.mode, blob: file.blob)
      })
  }

  /// The whole path of each file.
  var paths: [[UInt8]: NodeID] {
    var paths: [[UInt8]: NodeID] = [:]
    for (node, file) in files { paths[path(file)] = node }
    return paths
  }

  private func path(_ file: File) -> [UInt8] {
    var path = PathText.decode(file.name)
    var next = folders[file.folder]
    while let folder = next {
      if folder.parent != nil { path = PathText.decode(folder.name) + [UInt8(ascii: "/")] + path }
      next = folder.parent.flatMap { folders[$0] }
    }
    return path
  }

  /// Lines `mode blob<TAB>path`, sorted by path, like `TreeEditor.entryListing`.
  var entryListing: [UInt8] {
    let sorted = paths.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return sorted.flatMap { path, node in Array("\(files[node]!.mode) \(files[node]!.blob)\t".utf8) + path + [10] }
  }

  /// Empty folders other than the root.
  var emptyFolders: [NodeID] {
    folders.filter { $0.value.parent != nil && childCounts[$0.key, default: 0] == 0 }.map(\.key)
  }
}
