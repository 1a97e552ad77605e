import DaybookTestSupport
import Testing

@testable import DaybookGit

/// Streams that were cut or changed: the reader throws, or returns only complete commits.
@Suite(.hangLimit) struct FastExportDamageTests {
  private let stream = """
    reset refs/heads/main
    blob
    mark :1
    original-oid \(blobA)
    data 12
    one
    two
    six

    \(commitCommand("1", mark: 2, changes: ["M 100644 :1 a", "M 100755 \(blobB) \"b\\303\\251\"", "M 120000 \(blobC) c/d"]))\
    tag v1
    from :2
    tagger T <t> 1 +0000
    data <<END
    hi
    END

    \(commitCommand("2", mark: 3, from: ":2\nmerge :1", changes: ["R c/d \"c d\"", "C a e/f/g", "D a", "deleteall"]))\
    \(commitCommand("3", mark: 4, from: ":3"))progress end

    """

  @Test func aStreamCutAnywhereIsAnErrorOrAPrefix() throws {
    let bytes = Array(stream.utf8)
    let whole = try readCommits(bytes)
    #expect(whole.count == 3)
    for length in 0..<bytes.count {
      let (found, error) = read(Array(bytes.prefix(length)))
      expectPrefix(found, of: whole, "cut at \(length)")
      #expect(error == nil || error is FastExportError)
      if length > 0, bytes[length - 1] != UInt8(ascii: "\n"), error == nil {
        // A message has a stated length, so it is complete without a newline after it.
        let isWholeMessage = found.last.map { $0.changes == [] && $0.message == "m" } ?? true
        #expect(isWholeMessage, "cut at \(length)")
      }
    }
  }

  @Test func aStreamWithDoneCutAnywhereIsAnError() throws {
    let bytes = Array(("feature done\n" + stream + "done\n").utf8)
    let whole = try readCommits(bytes)
    for length in 13..<bytes.count - 1 {
      let (found, error) = read(Array(bytes.prefix(length)))
      #expect((error as? FastExportError)?.kind == .truncated, "cut at \(length)")
      #expect(whole.starts(with: found), "cut at \(length)")
    }
  }

  @Test func aDamagedStreamNeverTraps() throws {
    var random = SeededRandom(seed: Seeds.one)
    let lines = Array(stream.utf8).split(separator: 10, omittingEmptySubsequences: false).map { Array($0) }
    for _ in 0..<4000 {
      var damaged = lines
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&damaged, &random) }
      let (_, error) = read(Array(damaged.joined(separator: [10])))
      let isExpected = error == nil || error is FastExportError || error is TreeError
      #expect(isExpected, "seed \(random.seed)")
    }
  }

  private func damage(_ lines: inout [[UInt8]], _ random: inout SeededRandom) {
    let index = lines.indices.randomElement(using: &random)!
    switch Int.random(in: 0..<5, using: &random) {
    case 0: lines.remove(at: index)
    case 1: lines.insert(lines.randomElement(using: &random)!, at: index)
    case 2: lines[index] = Array(lines[index].prefix(Int.random(in: 0...lines[index].count, using: &random)))
    case 3: lines.swapAt(index, lines.indices.randomElement(using: &random)!)
    default:
      guard let place = lines[index].indices.randomElement(using: &random) else { return }
      lines[index][place] = random.isTrue(percent: 50) ? UInt8.random(in: 0...255, using: &random) : UInt8(ascii: "9")
    }
    if lines.isEmpty { lines = [[]] }
  }

  /// Reads and applies commits like an import, up to the first error.
  private func read(_ bytes: [UInt8]) -> (commits: [GitCommit], error: (any Error)?) {
    var reader = FastExportReader(MemorySource(bytes))
    var editor = TreeEditor()
    var tree = ReplayedTree()
    var found: [GitCommit] = []
    do {
      while let commit = try reader.next() {
        found.append(commit)
        tree.apply(try editor.apply(commit.changes))
      }
      return (found, nil)
    } catch {
      return (found, error)
    }
  }

  /// Expects that all commits but the last are complete.
  ///
  /// The last may lack commands, as nothing marks the end of the last commit.
  private func expectPrefix(_ found: [GitCommit], of whole: [GitCommit], _ comment: Comment) {
    guard var last = found.last else { return }
    #expect(whole.starts(with: found.dropLast()), comment)
    let original = whole[found.count - 1]
    #expect(original.changes.starts(with: last.changes), comment)
    // Merges come before the changes, so a cut may lose them as well; `from` is then implied by the ref.
    last.changes = original.changes
    last.mergeCount = original.mergeCount
    #expect(last == original, comment)
  }
}
