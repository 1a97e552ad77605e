import Testing

@testable import DaybookGit

@Suite(.hangLimit) struct GitValueTests {
  @Test func aHashIsItsDigits() {
    let short = "0123456789abcdef0123456789abcdef01234567"
    let long = short + "89abcdef0123456789abcdef"
    #expect(GitHash(short)?.description == short)
    #expect(GitHash(long)?.description == long)
    #expect(GitHash(short.uppercased())?.description == short)
    #expect(GitHash(short) != GitHash(short + String(repeating: "0", count: 24)))
    for text in ["", "0", String(repeating: "g", count: 40), short + "0"] { #expect(GitHash(text) == nil) }
  }

  @Test func aModeIsOneOfGits() {
    for mode in GitMode.allCases { #expect(GitMode(mode.description) == mode) }
    #expect(GitMode("644") == .file && GitMode("755") == .executable && GitMode("100664") == .file)
    for text in ["", "040000", "100600", "100648", "0100644", "7777777777777777777777"] {
      #expect(GitMode(text) == nil)
    }
  }

  @Test(arguments: [
    ("A B <a@b> 12 +0530", "A B", "a@b", 12, 330),
    ("A B <a@b> -12 -0530", "A B", "a@b", -12, -330),
    ("<a@b> 12 +0000", "", "a@b", 12, 0),
    (" <> 12 +0000", "", "", 12, 0),
    ("A <> 12 +0000", "A", "", 12, 0),
    ("A", "A", "", 0, 0),
    ("", "", "", 0, 0),
    ("A <a@b", "A", "a@b", 0, 0),
    ("A a@b> 12 +0000", "A a@b> 12 +0000", "", 12, 0),
    ("A <a <b@c>> 12 +0000", "A", "a <b@c", 12, 0),
    ("A <a@b>", "A", "a@b", 0, 0),
    ("A <a@b> soon +0000", "A", "a@b", 0, 0),
    ("A <a@b> 99999999999999999999 +0000", "A", "a@b", 0, 0),
    ("A <a@b> 12 +99999999999", "A", "a@b", 12, 0),
    (">< 1 2", ">", "1 2", 0, 1),
  ])
  func oddPeopleAreRead(line: String, name: String, email: String, seconds: Int64, zone: Int) {
    let signature = GitSignature(parsing: Array(line.utf8)[...])
    #expect(signature.name == name && signature.email == email)
    #expect(signature.seconds == seconds && signature.zoneOffsetInMinutes == zone)
  }

  @Test func bytesOfPeopleThatAreNotTextBecomeReplacements() {
    let signature = GitSignature(parsing: ([0x4A, 0xE9, 0x20, 0x3C, 0xFF, 0x3E] as [UInt8])[...])
    #expect(signature.name == "J\u{FFFD}" && signature.email == "\u{FFFD}")
  }

  @Test(arguments: [
    ("", ""), ("one", "one"), ("one\n\ntwo", "one"), ("one\ntwo\n\nthree\n", "one two"), ("\n \n one \n", " one"),
    ("one\r\n\r\ntwo", "one"), ("\n", ""),
  ])
  func theSubjectIsTheFirstParagraph(message: String, subject: String) throws {
    let stream = """
      commit refs/heads/main
      original-oid \(blobA)
      committer C <c> 1 +0000
      data \(message.utf8.count)
      \(message)

      """
    #expect(try readCommits(stream).first?.subject == subject)
  }
}
