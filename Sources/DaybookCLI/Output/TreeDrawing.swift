#if Command

import Daybook
import DaybookTools

/// Draws a tree, one line per object: branches, name, values, and the short form of the id.
///
///     Sources 8d14c0de
///     ├── Daybook 26f8ad91
///     │   └── Store.swift 0a1b2c3d
///     └── LMDB 11f6a2b8
///
/// Branches are drawn for the first levels only; a deeper object shows its level as a number, so that a tree of any
/// depth needs lines of bounded length.
struct TreeDrawing {
  static let maximumDrawnDepth = 64

  private let usesColor: Bool
  /// For each level above the object, except the first: whether siblings follow.
  private var continues: [Bool] = []

  init(usesColor: Bool) {
    self.usesColor = usesColor
  }

  /// Returns the line of the next object.
  mutating func line(_ node: TreeNode) -> String {
    let branches = self.branches(node)
    let name = PrintableText.line(node.name.isEmpty ? "(\(node.entity))" : node.name)
    let values = node.shown.isEmpty ? "" : "  " + PrintableText.line(node.shown.joined(separator: " "))
    return dimmed(branches) + name + values + " " + dimmed(node.id.shortForm + note(node))
  }

  private func note(_ node: TreeNode) -> String {
    switch (node.isInCycle, node.isRepeated) {
    case (false, false): ""
    case (false, true): " (shown above)"
    case (true, false): " (in a cycle)"
    case (true, true): " (in a cycle, shown above)"
    }
  }

  private mutating func branches(_ node: TreeNode) -> String {
    guard node.depth > 0 else {
      continues.removeAll(keepingCapacity: true)
      return ""
    }
    guard node.depth <= Self.maximumDrawnDepth else { return "… level \(node.depth): " }
    continues.removeLast(max(0, continues.count - (node.depth - 1)))
    let above = continues.map { $0 ? "│   " : "    " }.joined()
    continues.append(!node.isLast)
    return above + (node.isLast ? "└── " : "├── ")
  }

  private func dimmed(_ text: String) -> String {
    usesColor && !text.isEmpty ? "\u{1b}[2m\(text)\u{1b}[22m" : text
  }
}

#endif
