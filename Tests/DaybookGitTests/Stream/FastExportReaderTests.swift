import Testing

@testable import DaybookGit

@Suite(.hangLimit) struct FastExportReaderTests {
  @Test func aCommitHasWhatTheStreamSays() throws {
    let stream = """
      feature done
      reset refs/heads/main
      commit refs/heads/main
      mark :7
      original-oid \(gitHash("1"))
      author A <a@example.org> 10 +0100
      committer C <c@example.org> 20 -0100
      data 6
      one

      two
      M 100644 \(blobA) a b.txt
      done

      """
    // The message's six bytes end inside a line: the bytes after them are the next command.
    let text = stream.replacing("one\n\ntwo", with: "one\n\nt")
    let commit = try #require(try readCommits(text).first)
    #expect(commit.ref == "refs/heads/main" && commit.mark == 7 && commit.hash == gitHash("1"))
    #expect(commit.author == GitSignature(name: "A", email: "a@example.org", seconds: 10, zoneOffsetInMinutes: 60))
    #expect(commit.committer == GitSignature(name: "C", email: "c@example.org", seconds: 20, zoneOffsetInMinutes: -60))
    #expect(commit.message == "one\n\nt" && commit.subject == "one")
    #expect(commit.parent == nil && commit.mergeCount == 0 && commit.lineNumber == 3)
    #expect(commit.changes == [.modify("a b.txt", .file, blobA)])
  }

  @Test func everyFileCommandIsRead() throws {
    let changes = [
      "M 100755 \(blobA) a", "M 120000 \(blobB) \"b c\"", "M 160000 \(blobC) d e", "D f g", "D \"h\\ti\"", "R j k l",
      "R \"m n\" \"o p\"", "C q r", "C \"s\" t u", "deleteall", "D \"\"", "N \(blobA) \(blobB)",
    ]
    let commit = try #require(try readCommits(commitCommand("1", changes: changes)).first)
    #expect(
      commit.changes == [
        .modify("a", .executable, blobA), .modify("b c", .symbolicLink, blobB), .modify("d e", .submodule, blobC),
        .delete("f g"), .delete("h\ti"), .rename(from: "j", to: "k l"), .rename(from: "m n", to: "o p"),
        .copy(from: "q", to: "r"), .copy(from: "s", to: "t u"), .deleteAll, .delete(""),
      ])
  }

  @Test func aQuotedPathIsItsBytes() throws {
    let quoted = #""\"\\\a\b\t\n\v\f\r\303\251\377 x/y""#
    let commit = try #require(try readCommits(commitCommand("1", changes: ["D \(quoted)"])).first)
    let bytes: [UInt8] = [34, 92, 7, 8, 9, 10, 11, 12, 13, 0xC3, 0xA9, 0xFF, 32, 120, 47, 121]
    #expect(commit.changes == [.delete(GitPath(bytes: bytes))])
  }

  @Test(arguments: [
    "D \"a", "D \"a\" b", "D \"\\x\"", "D \"\\400\"", "D \"\\18\"", "D \"\\", "D \"\\000\"", "D a//b", "D /a", "D a/",
    "D ", "R a", "R a ", "R \"a\"b c", "C  a", "M 100644 \(blobA)", "M 100644 \(blobA) ", "M 100644", "M 100644 :",
    "M 100600 \(blobA) a", "M x \(blobA) a", "M 100644 x a", "M 100644 \(blobA) \"\"", "D", "M", "X a", "deletesome",
  ])
  func aBrokenFileCommandIsAnError(line: String) throws {
    let error = try #require(streamError(commitCommand("1", changes: ["D b", line])))
    #expect(error.kind == .malformed)
    #expect(error.lineNumber == 8, "\(error)")
  }

  @Test func whatHasNoHashIsUnsupported() {
    #expect(streamError(commitCommand("1", changes: ["M 040000 \(blobA) a"]))?.kind == .unsupported)
    #expect(streamError(commitCommand("1", changes: ["M 100644 inline a", "data 1", "x"]))?.kind == .unsupported)
    #expect(streamError(commitCommand("1", changes: ["M 100644 :3 a"]))?.kind == .missingOriginalID)
  }

  @Test func contentsInTheStreamAreKnownByTheirHash() throws {
    let stream = "blob\nmark :1\noriginal-oid \(blobA)\ndata 6\nmark \n\n\nblob\ndata <<E\n# x\nE\n\n"
    #expect(
      try readCommits(stream + commitCommand("1", mark: 2, changes: ["M 100644 :1 a"])).first?.changes
        == [.modify("a", .file, blobA)])
  }

  @Test func otherCommandsArePassedOver() throws {
    let stream = """
      # a comment
      feature date-format=raw
      option git quiet
      progress 1 of 2
      checkpoint

      alias
      mark :9
      to :1
      tag v1
      mark :8
      from :1
      original-oid \(gitHash("e"))
      tagger T <t@example.org> 1 +0000
      data 5
      done

      tag v2
      from :1
      data 0
      \(commitCommand("1", mark: 1, changes: ["# not a command", "D a"]))reset refs/tags/v3
      from :1

      reset refs/tags/v4
      from 0000000000000000000000000000000000000000

      \(commitCommand("2", mark: 2, from: ":1", changes: ["N inline :1", "data 4", "note", "D b"]))done
      what comes behind is not read
      """
    let all = try readCommits(stream)
    #expect(all.map(\.changes) == [[.delete("a")], [.delete("b")]])
    #expect(all.map(\.parent) == [nil, gitHash("1")])
  }

  @Test func signaturesEncodingsAndDelimitedMessagesAreRead() throws {
    let stream = """
      commit refs/heads/main
      mark :1
      original-oid \(gitHash("1"))
      committer C <c@example.org> 2 +0000
      gpgsig sha1 openpgp
      data 4
      sig

      gpgsig sha256 x509
      data <<X
      sig
      X
      encoding ISO-8859-1
      data <<END OF IT
      # one
      END
      END OF IT

      D a

      """
    let commit = try #require(try readCommits(stream).first)
    #expect(commit.message == "# one\nEND\n")
    #expect(commit.author == commit.committer)
    #expect(commit.changes == [.delete("a")])
  }

  @Test func bytesOfMessagesThatAreNotTextBecomeReplacements() throws {
    let head = "commit x\noriginal-oid \(gitHash("1"))\ncommitter C <c> 2 +0000\ndata 4\n"
    let all = try readCommits(Array(head.utf8) + [0x61, 0xFF, 0xE9, 0x62])
    #expect(all.map(\.message) == ["a\u{FFFD}\u{FFFD}b"])
  }

  @Test func placesCountTheLinesOfData() throws {
    let stream = commitCommand("1").replacing("data 1\nm", with: "data 4\n\n\nx\n") + "nonsense\n"
    let error = try #require(streamError(stream))
    #expect(error.lineNumber == stream.utf8.count { $0 == 10 } && error.kind == .malformed)
    #expect(error.byteOffset == stream.utf8.count - "nonsense\n".utf8.count)
  }

  @Test func aStreamInPiecesIsTheSame() throws {
    let bytes = try Array(SampleHistory.stream().prefix(30_000))
    for length in [1, 7, 4096] {
      var whole = FastExportReader(MemorySource(bytes))
      var pieces = FastExportReader(TricklingSource(bytes, pieceLength: length))
      for _ in 0..<20 { #expect(try whole.next() == pieces.next()) }
    }
  }
}

// MARK: - Parents

extension FastExportReaderTests {
  @Test(arguments: [":1", "\(gitHash("1"))", "refs/heads/main", "refs/heads/main^0"])
  func aCommitContinuesTheOneBefore(from: String) throws {
    let all = try readCommits(commitCommand("1", mark: 1) + commitCommand("2", mark: 2, from: from))
    #expect(all.map(\.parent) == [nil, gitHash("1")])
  }

  @Test func aCommitWithoutFromContinuesItsRef() throws {
    #expect(try readCommits(commitCommand("1") + commitCommand("2")).map(\.parent) == [nil, gitHash("1")])
    #expect(
      try readCommits(
        commitCommand("1") + "reset refs/heads/b\nfrom \(gitHash("1"))\n" + commitCommand("2", ref: "refs/heads/b")
      ).count == 2
    )
  }

  @Test func anyOtherParentIsAnError() {
    let start = commitCommand("1", mark: 1) + commitCommand("2", mark: 2, from: ":1")
    for from in [":1", ":3", "\(gitHash("1"))", "refs/heads/other", ":x", ":"] {
      #expect(streamError(start + commitCommand("3", mark: 3, from: from))?.kind == .notLinear)
    }
    #expect(streamError(start + commitCommand("3", ref: "refs/heads/b"))?.kind == .notLinear)
    #expect(streamError(start + "reset refs/heads/main\n" + commitCommand("3"))?.kind == .notLinear)
    #expect(streamError(commitCommand("3", from: ":1"))?.kind == .notLinear)
    #expect(streamError(commitCommand("3", from: "\(gitHash("1"))"))?.kind == .notLinear)
  }

  @Test func mergesAreCounted() throws {
    let second = commitCommand("2", from: ":1\nmerge \(gitHash("8"))\nmerge :4", changes: ["D a"])
    let all = try readCommits(commitCommand("1", mark: 1) + second)
    #expect(all.map(\.mergeCount) == [0, 2])
    #expect(all.last?.changes == [.delete("a")])
  }

  @Test func aWholeHistoryContinuesAfterItsBase() throws {
    let stream = commitCommand("1") + commitCommand("2") + commitCommand("3")
    for (base, count) in [("1", 2), ("2", 1), ("3", 0)] as [(Character, Int)] {
      var reader = FastExportReader(MemorySource(Array(stream.utf8)), after: gitHash(base))
      var found = 0
      while let commit = try reader.next() {
        found += 1
        #expect(commit.parent != nil)
      }
      #expect(found == count && reader.skippedCount == 3 - count)
      #expect(try reader.next() == nil)
    }
    #expect(streamError(stream, after: gitHash("4"))?.kind == .historyDiverged)
    #expect(streamError("", after: gitHash("4"))?.kind == .historyDiverged)
  }

  @Test func whatFollowsABaseContinuesAfterIt() throws {
    let stream = commitCommand("2", from: "\(gitHash("1"))") + commitCommand("3")
    #expect(try readCommits(stream, after: gitHash("1")).map(\.hash) == [gitHash("2"), gitHash("3")])
    #expect(streamError(stream, after: gitHash("4"))?.kind == .historyDiverged)
    #expect(try readCommits("reset refs/heads/main\nfrom \(gitHash("1"))\n\n", after: gitHash("1")).isEmpty)
  }
}

// MARK: - Ends and limits

extension FastExportReaderTests {
  @Test func aStreamWithoutItsDoneIsCut() throws {
    #expect(try readCommits("").isEmpty)
    #expect(try readCommits("done").isEmpty)
    #expect(streamError("feature done\n")?.kind == .truncated)
    #expect(streamError("feature done\n" + commitCommand("1"))?.kind == .truncated)
    #expect(try readCommits("feature done\n" + commitCommand("1") + "done\n").count == 1)
  }

  @Test func whatACommitNeedsIsNeeded() {
    let stream = commitCommand("1")
    let noHash = stream.replacing("original-oid \(gitHash("1"))\n", with: "")
    #expect(streamError(noHash)?.kind == .missingOriginalID)
    let noCommitter = stream.replacing("committer C <c@example.org> 2 +0100\n", with: "")
    #expect(streamError(noCommitter)?.kind == .malformed)
    for (text, other) in [
      ("data 1", "data -1"), ("data 1", "data 1x"), ("data 1", "data "), ("data 1", "data"), ("data 1", "data <<"),
      ("data 1", "data 99999999999999999999"), ("original-oid 1", "original-oid 0x"), ("committer", "comitter"),
    ] {
      #expect(streamError(stream.replacing(text, with: other))?.kind == .malformed, "\(other)")
    }
    #expect(streamError("mark :1\n")?.kind == .malformed)
    #expect(streamError("ls \"a\"\n")?.kind == .unsupported)
    #expect(streamError("feature teleport\n")?.kind == .unsupported)
    #expect(streamError("feature date-format=now\n")?.kind == .unsupported)
  }

  @Test func everyLimitHolds() {
    var limits = FastExportLimits()
    limits.lineLength = 100
    #expect(streamError("#" + String(repeating: "x", count: 100) + "\n", limits: limits)?.kind == .limitExceeded)
    limits = FastExportLimits()
    limits.messageLength = 3
    #expect(streamError(commitCommand("1").replacing("data 1", with: "data 4"), limits: limits)?.kind == .limitExceeded)
    #expect(
      streamError(commitCommand("1").replacing("data 1\nm", with: "data <<E\nabc\nE"), limits: limits)?.kind
        == .limitExceeded)
    limits = FastExportLimits()
    limits.changesPerCommit = 1
    #expect(streamError(commitCommand("1", changes: ["D a", "D b"]), limits: limits)?.kind == .limitExceeded)
    limits = FastExportLimits()
    limits.changeBytesPerCommit = 5
    #expect(streamError(commitCommand("1", changes: ["D a", "D b"]), limits: limits)?.kind == .limitExceeded)
    limits = FastExportLimits()
    limits.blobMarks = 0
    #expect(
      streamError("blob\nmark :1\noriginal-oid \(blobA)\ndata 0\n", limits: limits)?.kind == .limitExceeded)
    limits = FastExportLimits()
    limits.refs = 0
    #expect(streamError(commitCommand("1"), limits: limits)?.kind == .limitExceeded)
  }

  @Test func afterAnErrorThereIsNothing() throws {
    var reader = FastExportReader(MemorySource(Array(("x\n" + commitCommand("1")).utf8)))
    #expect(throws: FastExportError.self) { try reader.next() }
    #expect(try reader.next() == nil)
  }
}
