#if Command

import ArgumentParser
import Daybook
import DaybookTools

#if Git
import DaybookGit
#endif

struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree", abstract: "Show which objects belong to which.",
    discussion: """
      The tree follows the relationships to many that cascade, from the objects that are nobody's child down. An object \
      with several parents is shown below each, what is below it the first time only. Objects that are below each other in a \
      cycle are shown once, and marked “in a cycle”; those below no other object come last, the first of them at the top.

      With --paths, each object whose entity has no such relationships is a line: the names from the top down, joined \
      by /, sorted by bytes. Names that `import git` wrote for bytes which are not UTF-8 are those bytes again.
      """)

  @OptionGroup var arguments: StoreArguments

  @Argument(
    help: ArgumentHelp("The object to begin with; if none is named, all without a parent.", valueName: "root-id"))
  var root: ObjectIDArgument?

  @OptionGroup var past: PastOption

  @Flag(help: "Print a line for each leaf: its path.")
  var paths = false

  @Option(
    help: ArgumentHelp("Attributes to show too, separated by commas; can be repeated.", valueName: "attribute,..."))
  var show: [String] = []

  /// The attributes; a path over relationships is no attribute, and is refused as an unknown one.
  private var shown: [String] {
    get throws { try FetchRequest.paths(parsing: show)?.map { $0.joined(separator: ".") } ?? [] }
  }

  func run() throws {
    try arguments.withStore { store in
      try past.readStored(store) { reader in
        if paths { try printPaths(reader) } else { try printTree(reader) }
      }
    }
  }

  private func printPaths(_ reader: borrowing StoreReader) throws {
    let root = try root?.resolve(in: reader)
    let shown = try shown
    let paths = try reader.treePaths(from: root, showing: shown, decodingNames: TreeCommand.decodeName)
    var output: [UInt8] = []
    for index in 0..<paths.count {
      paths.appendLine(index, showingValues: !shown.isEmpty, to: &output)
      guard output.count >= 64 << 10 || index == paths.count - 1 else { continue }
      try Console.standard.write(output)
      output.removeAll(keepingCapacity: true)
    }
  }

  /// Returns the bytes of a name: the import of git histories has written some names with escapes.
  private static func decodeName(_ name: String) -> [UInt8] {
    #if Git
    PathText.decode(name)
    #else
    Array(name.utf8)
    #endif
  }

  private func printTree(_ reader: borrowing StoreReader) throws {
    let console = Console.standard
    var drawing = TreeDrawing(usesColor: console.usesColor)
    let root = try root?.resolve(in: reader)
    try reader.forEachTreeNode(from: root, showing: shown) { try console.print(drawing.line($0)) }
  }
}

#endif
