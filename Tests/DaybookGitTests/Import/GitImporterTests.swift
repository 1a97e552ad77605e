import Daybook
import DaybookTestSupport
import Testing

@testable import DaybookGit

/// The import of commits, authors and paths.
///
/// The result of errors; and the continuation of an import.
@Suite(.hangLimit) struct GitImporterTests {
  private let start = commitCommand("1", mark: 1, changes: ["M 100644 \(blobA) a", "M 100644 \(blobB) d/b"])

  /// Returns the commits of the journal, without the model.
  private func headers(_ store: Store) throws -> [CommitHeader] {
    try store.read { reader in
      var headers: [CommitHeader] = []
      try reader.journal.forEachCommit(from: 2, through: nil) { commit in
        headers.append(commit.header)
        return true
      }
      return headers
    }
  }

  @Test func aCommitCarriesWhatGitSaysOfIt() throws {
    let target = try ImportStore()
    let stream = """
      commit refs/heads/main
      original-oid \(gitHash("1"))
      author Ann <ann@example.org> 1000 +0200
      committer Bob <bob@example.org> 2000 -0100
      data 22
      subject
      goes on

      body

      """
    try target.importStream(stream)
    let header = try #require(try headers(target.store).first)
    #expect(header.author == "Ann <ann@example.org>")
    #expect(header.message == "subject\ngoes on\n\nbody\n")
    #expect(header.happenedAt == Timestamp("1970-01-01T00:33:20Z"))
    let revision = try #require(try target.objects(GitModel.revision).first)
    #expect(revision["hash"] == .string("\(gitHash("1"))"))
    #expect(revision["subject"] == "subject goes on")
    #expect(revision["timeStamp"] == .date(Timestamp(microseconds: 2_000_000_000)))
    let author = try #require(try revision.target("author").flatMap { try target.store.get($0) })
    #expect(author["name"] == "Ann" && author["email"] == "ann@example.org")
  }

  @Test func timesMayRunBackwardsAndBeOutOfRange() throws {
    let target = try ImportStore()
    let times = [2_000, -5, Int64.max, Int64.min, Int64.max / 1_000_000]
    let commits = times.enumerated().map { index, time in
      """
      commit refs/heads/main
      mark :\(index + 1)
      original-oid \(gitHash(Character("\(index)")))
      committer C <c@example.org> \(time) +0000
      data 0

      """
    }
    try target.importStream(commits.joined(separator: "\n"))
    let seconds = try headers(target.store).map { try #require($0.happenedAt).microseconds / 1_000_000 }
    #expect(seconds == [2_000, -5, 0, 0, Int64.max / 1_000_000])
    let recorded = try headers(target.store).map(\.recordedAt)
    #expect(recorded == recorded.sorted())
  }

  @Test func anEmailIsOnePersonByBytesAndTheFirstNameStays() throws {
    let target = try ImportStore()
    let people = [
      "Ann <x@y>", "Anna <x@y>", " <>", "Nobody <>", "A <\u{E9}>", "B <e\u{301}>", "C <X@y>", "<x@y>", "D <\u{E9}>",
    ]
    let commits = people.enumerated().map { index, person in
      """
      commit refs/heads/main
      original-oid \(gitHash(Character("\(index)")))
      author \(person) 5 +0000
      committer C <c@example.org> 5 +0000
      data 0

      """
    }
    try target.importStream(commits.joined(separator: "\n"))
    let authors = try target.objects(GitModel.author)
    let byEmail = Set(authors.map { Array("\($0["name"].text)|\($0["email"].text)".utf8) })
    let expected = ["Ann|x@y", "|", "A|\u{E9}", "B|e\u{301}", "C|X@y"]
    #expect(byEmail == Set(expected.map { Array($0.utf8) }))
    #expect(try headers(target.store).map(\.author).suffix(2) == [" <x@y>", "D <\u{E9}>"])
    let ann = try #require(authors.first { $0["name"] == "Ann" })
    #expect(try target.store.read { try $0.targets(of: ann.id, "revisions").count } == 3)
  }

  @Test func anEmptyFirstCommitInsertsTheRoot() throws {
    let target = try ImportStore()
    #expect(try target.importStream(commitCommand("1")).position == 2)
    let folders = try target.objects(GitModel.folder)
    #expect(folders.count == 1 && folders.first?["name"] == "" && folders.first?.target("parent") == nil)
    #expect(try target.store.pathListing().isEmpty)
  }

  @Test func eachChangeIsTheVerbThatGitMeans() throws {
    let target = try ImportStore()
    try target.importStream(start)
    let before = try target.ids()
    let renames = commitCommand(
      "2", from: ":1", changes: ["R a d/a", "R d/b d/c", "M 100755 \(blobC) d/a", "C d/c e/copy"])
    try target.importStream(start + renames)
    let after = try target.ids()
    #expect(after["d/a"] == before["a"])
    #expect(after["d/c"] == before["d/b"])
    #expect(after["d"] == before["d"])
    #expect(after["e/copy"] != nil && after["a"] == nil && after["d/b"] == nil)
    let kinds = try target.store.read { reader in
      try reader.journal.withCommit(at: 3) { commit in
        var kinds: [EventKind] = []
        var events = commit.events
        while !events.isAtEnd { kinds.append(try events.next().kind) }
        return kinds
      }
    }
    // The revision (its author is known), d/a moved, d/c renamed, the folder e and the file in it, then the changed
    // values.
    #expect(kinds.count { $0 == .inserted } == 3)
    #expect(kinds.count { $0 == .related } == 4)
    #expect(kinds.count { $0 == .renamed } == 1)
    #expect(kinds.count { $0 == .set } == 1)
    #expect(kinds.count == 9)
  }

  @Test func foldersLeftEmptyGoAndTheRootStays() throws {
    let target = try ImportStore()
    try target.importStream(start)
    let root = try #require(try target.ids()[""])
    try target.importStream(start + commitCommand("2", from: ":1", changes: ["D a", "D d/b"]))
    #expect(try target.objects(GitModel.file).isEmpty)
    #expect(try target.objects(GitModel.folder).map(\.id) == [root])
  }

  // Continuing.

  @Test func aSecondRunAddsWhatIsNew() throws {
    let stream = try SampleHistory.stream()
    let expectations = try SampleHistory.expectations()
    let target = try ImportStore()
    let commits = try readCommits(stream)
    var done = 0
    for count in [1, 2, 100, 101, 300, 496] {
      var rest = commits[done..<count]
      let importer = try GitImporter(target.store)
      #expect(importer.lastRevision == (done == 0 ? nil : commits[done - 1].hash))
      let summary = try importer.run(ListedCommits(&rest))
      #expect(summary.commitCount == count - done)
      done = count
      #expect(sha256(try target.store.entryListing()) == expectations[done - 1].entryDigest, "commit \(done)")
    }
  }

  @Test func nothingNewWritesNothing() throws {
    let target = try ImportStore()
    try target.importStream(SampleHistory.stream())
    let before = try headers(target.store).last
    let summary = try target.importStream(SampleHistory.stream())
    #expect(summary.commitCount == 0 && summary.position == 497)
    #expect(try headers(target.store).last == before)
  }

  @Test func aHistoryThatDivergedIsRefusedAndNothingIsWritten() throws {
    let target = try ImportStore()
    try target.importStream(start)
    let other =
      commitCommand("3", changes: ["M 100644 \(blobA) a"]) + commitCommand("4", from: gitHash("3").description)
    let error = #expect(throws: FastExportError.self) { try target.importStream(other) }
    #expect(error?.kind == .historyDiverged)
    #expect(try target.store.position == 2)
  }

  @Test func aStoreOfAnotherModelIsRefused() throws {
    let directory = try TemporaryDirectory()
    let model = Model(entities: [Entity(name: "Note")])
    try Store(at: directory.path("notes"), model: model).close()
    let error = #expect(throws: StoreError.self) {
      try Store(at: directory.path("notes"), model: GitModel.model)
    }
    #expect(error?.code == .badModel)
  }

  @Test func commitsOfOthersInBetweenDoNotHideTheLastRevision() throws {
    let target = try ImportStore()
    try target.importStream(start)
    let author = try #require(try target.objects(GitModel.author).first)
    try target.store.write { try $0.set(author.id, ["name": "renamed"]) }
    #expect(try GitImporter(target.store).lastRevision == gitHash("1"))
    let summary = try target.importStream(start + commitCommand("2", from: ":1", changes: ["D a"]))
    #expect(summary.position == 4)
    #expect(try target.store.pathListing() == Array("d/b\n".utf8))
  }

  // Errors.

  @Test func anErrorInTheStreamLeavesTheCommitsBeforeIt() throws {
    let target = try ImportStore()
    let stream = start + commitCommand("2", from: ":1", changes: ["D a"]) + "nonsense\n"
    let error = #expect(throws: FastExportError.self) { try target.importStream(stream) }
    #expect(error?.lineNumber == stream.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
    #expect(try target.store.position == 3)
    #expect(try target.store.pathListing() == Array("d/b\n".utf8))
  }

  @Test func aCommandThatDoesNotFitTheTreeIsAnErrorThatNamesTheCommit() throws {
    let target = try ImportStore()
    let stream = start + commitCommand("2", from: ":1", changes: ["M 100644 \(blobC) new", "R missing there"])
    let error = #expect(throws: StoreError.self) { try target.importStream(stream) }
    #expect(error?.message.contains(gitHash("2").description) == true)
    #expect(try target.store.position == 2)
    #expect(try target.store.pathListing() == Array("a\nd/b\n".utf8))
  }

  @Test func aThrowInACommitLeavesNoTraceOfIt() throws {
    struct Stop: Error {}
    let target = try ImportStore()
    let stream = Array((start + commitCommand("2", from: ":1", changes: ["D a"])).utf8)
    #expect(throws: Stop.self) {
      try target.importStream(stream, finishingEach: { commit, _ in if commit.hash == gitHash("2") { throw Stop() } })
    }
    #expect(try target.store.position == 2)
    #expect(try target.importStream(stream).position == 3)
    #expect(try target.store.pathListing() == Array("d/b\n".utf8))
  }

  @Test func somebodyElsesWriteBetweenTwoBatchesStopsTheImport() throws {
    let target = try ImportStore()
    var limits = GitImporter.BatchLimits()
    limits.commits = 1
    let importer = try GitImporter(target.store, limits: limits)
    try target.store.write { try $0.insert(GitModel.author, ["name": "A", "email": "other"]) }
    let error = #expect(throws: StoreError.self) {
      try importer.run(FastExportReader(MemorySource(Array(start.utf8))))
    }
    #expect(error?.code == .busy)
    #expect(try target.store.position == 2)
  }

  @Test func aCommitOfMoreEventsThanFitIsRefusedWithItsName() throws {
    var commit = try #require(try readCommits(start).first)
    commit.changes = []
    let node = NodeID(0)
    let prepared = PreparedCommit(
      commit: commit,
      operations: Array(
        repeating: .insertFile(node, folder: node, name: "", mode: .file, blob: blobA),
        count: CommitLimits.maximumEventCount / 2))
    let target = try ImportStore()
    let error = #expect(throws: StoreError.self) {
      try target.store.writer.write { session in
        var writer = CommitWriter(objects: [], authors: [:])
        try writer.write(prepared, in: session)
      }
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains(commit.hash.description) == true)
  }

  // Batches.

  @Test(arguments: [1, 7, 1_000]) func batchesOfAnySizeMakeTheSameHistory(_ size: Int) throws {
    var limits = GitImporter.BatchLimits()
    limits.commits = size
    let target = try ImportStore()
    var counts: [Int] = []
    try target.importStream(SampleHistory.stream(), limits: limits, progress: { counts.append($0) })
    #expect(counts == Array(1...496))
    let expected = try SampleHistory.expectations().last?.entryDigest
    #expect(sha256(try target.store.entryListing()) == expected)
  }

  @Test func aSlowSourceIsWrittenAsItComes() throws {
    var limits = GitImporter.BatchLimits()
    limits.patience = .milliseconds(0)
    let target = try ImportStore()
    let importer = try GitImporter(target.store, limits: limits)
    let source = TricklingSource(
      Array(try SampleHistory.stream().prefix(60_000)) + Array("\ndone\n".utf8), pieceLength: 97)
    // Cut in the middle of a command: the complete commits stay.
    #expect(throws: FastExportError.self) { try importer.run(FastExportReader(source)) }
    let head = try target.store.position
    #expect(head > 10)
    try target.importStream(SampleHistory.stream())
    #expect(try target.store.position == 497)
    let expected = try SampleHistory.expectations().last?.entryDigest
    #expect(sha256(try target.store.entryListing()) == expected)
  }
}

/// A source of commits that were read earlier.
struct ListedCommits: GitCommitSource {
  private var rest: ArraySlice<GitCommit>

  init(_ commits: inout ArraySlice<GitCommit>) {
    rest = commits
  }

  mutating func next() -> GitCommit? { rest.popFirst() }
}
