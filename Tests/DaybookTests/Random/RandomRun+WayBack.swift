import DaybookModel
import DaybookTestSupport
import DaybookTools
import Foundation

@testable import Daybook
@testable import DaybookRuntime

/// Checks backward folding, folding from the beginning, and copies.
extension RandomRun {
  /// Folds the commits backward to recorded rows, and compares them byte for byte.
  func checkUndo() throws {
    let model = try store.read { $0.resolvedModel }
    for (position, rows) in history {
      let there = try store.projectionRows(at: Position(position)).withoutDefaults(in: model)
      if let difference = there.firstDifference(from: try rows.withoutDefaults(in: model)) {
        throw Mismatch("folded back from \(reference.state.position) to \(position): \(difference)")
      }
      undoCount += 1
    }
    history.append((reference.state.position, try store.projectionRows()))
    if history.count > 3 { history.remove(at: random.number(0...2)) }
  }

  func checkRebuild() throws {
    let (present, rebuilt) = (try store.projectionRows(), try store.rebuiltRows())
    if let difference = present.firstDifference(from: rebuilt) {
      throw Mismatch("at \(reference.state.position), not what a rebuild gives: \(difference)")
    }
  }

  /// Closes the store, and continues with it or with a copy of it.
  func reopen() throws {
    try checkLargeValues()
    let path = store.path
    let copy = directory.path("store \(operationCount)")
    let before = try store.projectionRows()
    if random.isTrue(percent: 50) { options.bootIdentifier = "boot \(random.number(0...3))" }
    let isCopied = try moved(from: path, to: copy)
    if isCopied { try FileManager.default.removeItem(atPath: path) }
    store = try Store(at: isCopied ? copy : path, options: options)
    if let difference = try store.projectionRows().firstDifference(from: before) {
      throw Mismatch("after opening again: \(difference)")
    }
    try checkLargeValues()
  }

  /// Closes the store, after or before copying it in one of several ways.
  ///
  /// - Returns: Whether there is a copy.
  private func moved(from path: String, to copy: String) throws -> Bool {
    switch random.number(0...9) {
    case 0:
      store.close()
      try FileManager.default.removeItem(atPath: path + "/projections")
      return false
    case 1, 2:
      store.close()
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      return true
    case 3, 4:
      try store.backUp(to: copy + ".backup")
      store.close()
      try Store.restore(copy + ".backup", to: copy)
      return true
    case 5:
      try store.compact(to: copy)
      store.close()
      return true
    case 6, 7:
      try exchange(to: copy)
      store.close()
      return true
    default:
      store.close()
      return false
    }
  }

  /// Exports the store, and imports the lines into another one.
  private func exchange(to path: String) throws {
    var export = try Exporter(store).bytes()[...]
    let size = random.number(1_000...200_000)
    _ = try Importer(to: path, options: options).run {
      if export.isEmpty { return nil }
      defer { export = export.dropFirst(size) }
      return Array(export.prefix(size))
    }
  }
}
