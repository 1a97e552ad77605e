import Daybook
import DaybookEngine
import DaybookModel

/// The leaves of a tree with their paths, in the order of the paths' bytes.
///
/// All are in one buffer, so that a tree of millions of leaves takes little more memory than its listing.
package struct TreePaths: Sendable {
  private var bytes: [UInt8] = []
  private var lines: [Line] = []

  private struct Line {
    let start: Int
    let pathStart: Int
    let end: Int
  }

  /// A leaf of the tree.
  package struct Leaf: Sendable, Hashable {
    /// The names from the top down, joined by `/`; empty names are left out.
    package let path: [UInt8]
    /// The requested values, joined by spaces.
    package let shown: [UInt8]
  }

  /// The most bytes that paths and values may use together.
  static let maximumSizeInBytes = 8 << 30

  /// Reads the leaves.
  ///
  /// - Parameters:
  ///   - reader: The state of the store.
  ///   - root: The object to begin with; `nil` for all objects without parents.
  ///   - attributes: The attributes whose values are read with the leaves.
  ///   - decode: Returns the bytes that a name stands for.
  init(
    in reader: Reader, from root: ObjectID?, showing attributes: [String], decodingNames decode: (String) -> [UInt8]
  ) throws {
    var walk = try TreeWalk(reader, showing: attributes, repetition: .walked, isSorted: false)
    var path = PathBuilder()
    try walk.run(from: root) { node in
      path.replace(atDepth: node.depth, with: decode(node.name))
      if !node.isBranch { try append(path.bytes, shown: node.shown) }
    }
    let bytes = bytes
    lines.sort { a, b in
      let order = compareBytes(
        bytes.rawSpan.extracting(a.pathStart..<a.end), bytes.rawSpan.extracting(b.pathStart..<b.end))
      return order != 0 ? order < 0 : a.start < b.start
    }
  }

  private mutating func append(_ path: [UInt8], shown: [String]) throws {
    let start = bytes.count
    for (index, text) in shown.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: " ")) }
      bytes.append(contentsOf: text.utf8)
    }
    lines.append(Line(start: start, pathStart: bytes.count, end: bytes.count + path.count))
    bytes.append(contentsOf: path)
    guard bytes.count <= Self.maximumSizeInBytes else {
      throw StoreError(
        .tooLarge, "The paths have more than \(Self.maximumSizeInBytes) bytes.", advice: "List the paths of one object."
      )
    }
  }

  /// The number of leaves.
  package var count: Int { lines.count }

  /// The leaf at an index.
  package subscript(index: Int) -> Leaf {
    let line = lines[index]
    return Leaf(path: Array(bytes[line.pathStart..<line.end]), shown: Array(bytes[line.start..<line.pathStart]))
  }

  /// Appends a leaf as a line: the values and a tab if values are shown, the path, a newline.
  package func appendLine(_ index: Int, showingValues: Bool, to output: inout [UInt8]) {
    let line = lines[index]
    if showingValues {
      output.append(contentsOf: bytes[line.start..<line.pathStart])
      output.append(UInt8(ascii: "\t"))
    }
    output.append(contentsOf: bytes[line.pathStart..<line.end])
    output.append(UInt8(ascii: "\n"))
  }
}

/// The path of the present object of a walk.
private struct PathBuilder {
  private(set) var bytes: [UInt8] = []
  /// The length of the path at each depth, without the object at that depth.
  private var lengths: [Int] = []

  mutating func replace(atDepth depth: Int, with name: [UInt8]) {
    if depth < lengths.count {
      bytes.removeLast(bytes.count - lengths[depth])
      lengths.removeLast(lengths.count - depth)
    }
    lengths.append(bytes.count)
    guard !name.isEmpty else { return }
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "/")) }
    bytes.append(contentsOf: name)
  }
}
