import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookCLI

/// Large values on the command line.
@Suite struct LargeValueCommandTests {
  private let directory: TemporaryDirectory
  private var store: String { directory.path("photos") }

  init() throws {
    directory = try TemporaryDirectory()
    let model = Model(entities: [
      Entity(
        name: "Photo", nameAttribute: "name",
        attributes: [Attribute(name: "name", type: .string), Attribute(name: "image", type: .data, isOptional: true)])
    ])
    try Store.create(at: directory.path("photos"), model: model).close()
  }

  private func run(_ command: String, _ arguments: String...) throws -> CommandRun {
    try CommandRun([command, store] + arguments)
  }

  @Test func aFileBecomesAValueAndComesOutAgain() throws {
    let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let file = directory.path("image.jpg")
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let inserted = try run("insert", "Photo", "name=Cake", "image=@\(file)")
    #expect(inserted.status == 0, "\(inserted.errors)")
    let digest = Digest(hashing: bytes.rawSpan)
    #expect(try run("log", "--jsonl").output.contains(#""image": {"sha256": "\#(digest)", "size": 1500000}"#))
    #expect(try run("fetch", "Photo", "--json").output.contains(#""image": {"sha256": "\#(digest)", "size": 1500000}"#))
    #expect(try run("log").output.contains("image 1500000 bytes (\(digest.description.prefix(8)))"))
    let copy = directory.path("copy.jpg")
    let written = try run("value", digest.description, copy)
    #expect(written.status == 0 && written.output == "", "\(written.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(bytes))
    // The reference is text that the command takes.
    let second = try run("insert", "Photo", "name=Copy", "image=sha256:\(digest):1500000")
    #expect(second.status == 0, "\(second.errors)")
    #expect(try run("verify").status == 0)
    // A backup, an export and an import have the bytes.
    let export = directory.path("export")
    #expect(try run("export", export).status == 0)
    #expect(try CommandRun(["import", "events", directory.path("imported"), export]).status == 0)
    let again = directory.path("again.jpg")
    #expect(try CommandRun(["value", directory.path("imported"), digest.description, again]).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: again)) == Data(bytes))
  }

  @Test func whatIsNoValueIsAnError() throws {
    #expect(try run("value", "x").status == 64)
    let missing = try run("value", String(repeating: "0", count: 64))
    #expect(missing.status == 1)
    #expect(missing.errors.contains("has no large value"))
    let file = try run("insert", "Photo", "name=a", "image=@\(directory.path("none"))")
    #expect(file.status == 1 || file.status == 74)
    let unknown = try run("insert", "Photo", "name=a", "image=sha256:\(String(repeating: "0", count: 64)):100000")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("There is no value"))
  }
}
