#if Command

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookCLI
@testable import DaybookRuntime

/// Large values on the command line.
@Suite(.hangLimit) struct LargeValueCommandTests {
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
    #expect(file.status == 1)
    #expect(file.errors.contains("it does not exist"), "\(file.errors)")
    let folder = try run("insert", "Photo", "name=a", "image=@\(directory.path)")
    #expect(folder.status == 74)
    #expect(folder.errors.contains("is a directory, a pipe or a device, and no file"), "\(folder.errors)")
    let unknown = try run("insert", "Photo", "name=a", "image=sha256:\(String(repeating: "0", count: 64)):100000")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("There is no value"))
  }

  private func apply(_ lines: String..., options: [String] = []) throws -> CommandRun {
    try CommandRun(["apply", store] + options, input: lines.map { $0 + "\n" }.joined())
  }

  private func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: directory.path(name)))
    return directory.path(name)
  }

  @Test func linesOfApplyTakeTheBytesOfFiles() throws {
    let large = LargeSample.bytes(1, 1_500_000)
    let (image, icon) = (try write(large, to: "image.jpg"), try write([1, 2, 3], to: "icon.png"))
    let digest = Digest(hashing: large.rawSpan)
    let run = try apply(
      #"{"insert": "Photo", "as": "$cake", "values": {"name": "Cake", "image": {"file": "\#(image)"}}}"#,
      #"{"insert": "Photo", "values": {"name": "Icon", "image": {"file": "\#(icon)"}}}"#,
      #"{"commit": [{"set": "$cake", "values": {"image": {"file": "\#(icon)"}}}, {"insert": "Photo", "values": {"name": "Copy", "image": {"file": "\#(image)"}}}]}"#,
      options: ["--json"])
    #expect(run.output == "{\"head\": 4, \"commits\": 3, \"events\": 4}\n", "\(run.errors)")
    let log = try self.run("log", "--jsonl").output
    #expect(log.contains(#""values": {"name": "Cake", "image": {"sha256": "\#(digest)", "size": 1500000}}"#))
    #expect(log.contains(#""values": {"name": "Icon", "image": "AQID"}"#))
    #expect(log.contains(#""values": {"image": [{"sha256": "\#(digest)", "size": 1500000}, "AQID"]}"#))
    let copy = directory.path("copy.jpg")
    #expect(try self.run("value", digest.description, copy).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(large))
    #expect(try self.run("verify").status == 0)
    #expect(try self.run("stats", "--json").output.contains(#""largeValues": {"count": 1, "bytes": 1500000}"#))
    let stats = try self.run("stats").output
    #expect(stats.contains(/large values +1, 1.4 MiB/), "\(stats)")
  }

  @Test func aFileThatIsNoneStopsApplyAtItsLine() throws {
    let first = #"{"insert": "Photo", "values": {"name": "a"}}"#
    func refused(_ path: String, _ line: Int = 2, options: [String] = []) throws -> CommandRun {
      let head = try self.run("stats", "--json").output.firstMatch(of: /"head": ([0-9]+)/)
      let run = try apply(
        first, #"{"insert": "Photo", "values": {"name": "b", "image": {"file": "\#(path)"}}}"#, options: options)
      #expect(run.errors.hasPrefix("daybook: Line \(line): Photo.image: "), "\(run.errors)")
      let after = try self.run("stats", "--json").output.firstMatch(of: /"head": ([0-9]+)/)
      let before = try #require(head.flatMap { Int($0.1) })
      #expect(after.flatMap { Int($0.1) } == before + (options.isEmpty ? 1 : 0))
      return run
    }
    let missing = try refused(directory.path("none"))
    #expect(missing.status == 1 && missing.errors.contains("it does not exist"), "\(missing.errors)")
    let folder = try refused(directory.path)
    #expect(folder.status == 74 && folder.errors.contains("is a directory"), "\(folder.errors)")
    let device = try refused("/dev/null")
    #expect(device.status == 74 && device.errors.contains("or a device"), "\(device.errors)")
    let size = LargeValue.maximumSizeInBytes + 1
    let large = try write([], to: "large")
    #expect(truncate(large, size) == 0)
    let tooLarge = try refused(large)
    #expect(tooLarge.status == 1 && tooLarge.errors.contains("The value has \(size) bytes"), "\(tooLarge.errors)")
    // Of a batch nothing is written.
    _ = try refused(directory.path("none"), options: ["--batch", "2"])
    // A text is base64, and other members make no file.
    for value in [#""\#(large)""#, #"{"file": 1}"#, #"{"file": "\#(large)", "size": 1}"#, #"{}"#] {
      let run = try apply(#"{"insert": "Photo", "values": {"name": "c", "image": \#(value)}}"#)
      #expect(run.status == 1 && run.errors.contains("Photo.image: "), "\(run.errors)")
    }
  }
}

#endif
