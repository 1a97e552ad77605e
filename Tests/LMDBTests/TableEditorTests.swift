import DaybookTestSupport
import LMDB
import Testing

@Suite(.hangLimit) struct TableEditorTests {
  let directory = TemporaryDirectory()

  @Test(arguments: [false, true])
  func `two editors of a table read and change what a sorted dictionary has`(hasChecksums: Bool) throws {
    try SeededRandom.run(Rounds.of(20)) { generator in
      let environment = try Environment.open(
        at: directory.path, options: EnvironmentOptions(flush: .none, hasChecksums: { _ in hasChecksums }))
      defer { environment.close() }
      let table = try environment.makeTable("table \(generator.seed)")
      var model: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<5 {
        let transaction = try environment.beginWrite()
        var first = try transaction.snapshot.makeEditor(of: table)
        var second = try transaction.snapshot.makeEditor(of: table)
        for step in 0..<300 {
          let (key, value) = (randomKey(&generator), randomValue(&generator))
          let isFirst = step % 2 == 0
          switch Int.random(in: 0..<4, using: &generator) {
          case 0:
            let isDeleted = isFirst ? try first.delete(key.rawSpan) : try second.delete(key.rawSpan)
            try #require(isDeleted == (model.removeValue(forKey: key) != nil))
          case 1, 2:
            if isFirst { try first.put(key.rawSpan, value.rawSpan) } else { try second.put(key.rawSpan, value.rawSpan) }
            model[key] = value
          default:
            if isFirst { try check(&first, key, model) } else { try check(&second, key, model) }
          }
        }
        try transaction.commit()
      }
      let expected = model.sorted { precedes($0.key, $1.key) }.map { [$0.key, $0.value] }
      try #require(try environment.read { try $0.entries(in: table) } == expected)
    }
  }

  private func check(_ editor: inout TableEditor, _ key: [UInt8], _ model: [[UInt8]: [UInt8]]) throws {
    let keys = model.keys.sorted(by: precedes)
    let next = keys.first { !precedes($0, key) }
    try #require(try editor.seek(atOrAfter: key.rawSpan) == (next != nil))
    if let next {
      let (found, value) = ([UInt8](editor.key), [UInt8](editor.value))
      try #require(found == next && value == model[next])
    }
    let previous = keys.last { precedes($0, key) }
    try #require(try editor.moveToPrevious() == (previous != nil))
    if let previous {
      let found = [UInt8](editor.key)
      try #require(found == previous)
    }
  }
}
