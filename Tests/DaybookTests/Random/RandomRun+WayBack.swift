import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook

/// Checks backward folding, and folding from the beginning.
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

  func reopen() throws {
    var path = store.path
    let before = try store.projectionRows()
    store.close()
    if random.isTrue(percent: 50) { options.bootIdentifier = "boot \(random.number(0...3))" }
    switch random.number(0...5) {
    case 0: try FileManager.default.removeItem(atPath: path + "/projections")
    case 1:
      let copy = directory.path("store \(operationCount)")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try FileManager.default.removeItem(atPath: path)
      path = copy
    default: break
    }
    store = try Store(at: path, options: options)
    if let difference = try store.projectionRows().firstDifference(from: before) {
      throw Mismatch("after opening again: \(difference)")
    }
  }
}
