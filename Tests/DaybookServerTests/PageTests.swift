#if Server

import Daybook
import DaybookPage
import DaybookTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import DaybookServer

@Suite(.hangLimit) struct PageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/DaybookPage/Assets").standardizedFileURL

  /// The greatest weight of scripts and styles together as they are sent, in bytes.
  private static let greatestWeight = 100_000

  @Test func allFilesOfTheFolderAreInTheProgram() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(PageFile.all.map(\.name)))
    for file in PageFile.all {
      let contents = try Data(contentsOf: Self.folder.appending(path: file.name))
      #expect(Data(file.contents) == contents, "\(file.name)")
    }
  }

  @Test func scriptsAndStylesAreLight() async throws {
    try await withClient { client in
      var weight = 0
      for file in PageFile.all where file.name.hasSuffix(".js") || file.name.hasSuffix(".css") {
        let response = try await client.execute(
          uri: "/page/\(file.name)", method: .get, headers: [.acceptEncoding: "gzip, deflate, br"])
        #expect(response.headers[.contentEncoding] == "gzip")
        weight += response.body.readableBytes
      }
      #expect(weight <= Self.greatestWeight)
    }
  }

  @Test func linesThatAreOnlyACommentAreNotSent() {
    let script = """
      // The page.
      import { a } from "./a.js"; // kept
        /** Short. */
      /* begins */ const b = "/* no comment */";
      /**
       * Long: // and `code`.
       */
      const c = 1 /* kept */;
        // Indented.
      """
    let sent = String(decoding: PageFile("x.js", Array(script.utf8)).sentContents, as: UTF8.self)
    #expect(
      sent.split(separator: "\n", omittingEmptySubsequences: false) == [
        "", #"import { a } from "./a.js"; // kept"#, "", #"/* begins */ const b = "/* no comment */";"#, "", "", "",
        "const c = 1 /* kept */;", "",
      ])
    #expect(PageFile("x.css", Array("//a\n/* b */\nc {}".utf8)).sentContents == Array("//a\n\nc {}".utf8))
    #expect(PageFile("x.svg", Array("/* b */".utf8)).sentContents == Array("/* b */".utf8))
    for file in PageFile.all {
      let (lines, sent) = (file.contents.split(separator: 10), file.sentContents.split(separator: 10))
      #expect(Set(sent).isSubset(of: Set(lines)) && sent.count > lines.count / 4, "\(file.name)")
    }
  }

  @Test func filesHaveATypeAndATag() async throws {
    try await withClient { client in
      for (uri, type) in [
        ("/", "text/html; charset=utf-8"), ("/page/daybook.js", "text/javascript; charset=utf-8"),
        ("/page/base.css", "text/css; charset=utf-8"), ("/page/icon.svg", "image/svg+xml"),
      ] {
        let response = try await client.execute(uri: uri, method: .get)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == type)
        let tag = try #require(response.headers[.eTag])
        #expect(tag.count == 66)
        let again = try await client.execute(uri: uri, method: .get, headers: [.ifNoneMatch: "\"other\", \(tag)"])
        #expect(again.status == .notModified)
        #expect(again.body.readableBytes == 0)
      }
    }
  }

  @Test func aClientThatRefusesGzipGetsThePlainFile() async throws {
    try await withClient { client in
      for encodings in ["", "identity", "gzip;q=0", "br, gzip; q=0.0"] {
        let response = try await client.execute(
          uri: "/page/page.js", method: .get, headers: [.acceptEncoding: encodings])
        #expect(response.headers[.contentEncoding] == nil, "\(encodings)")
      }
    }
  }

  @Test func thePageHasNoInlineScriptOrStyle() throws {
    let page = try #require(PageFile.all.first { $0.name == "index.html" })
    let text = String(decoding: page.contents, as: UTF8.self)
    #expect(!text.contains("<style"))
    #expect(!text.contains("style="))
    #expect(text.contains("<script type=\"module\" src="))
    for script in PageFile.all where script.name.hasSuffix(".js") {
      let code = String(decoding: script.contents, as: UTF8.self)
      for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        #expect(!code.contains(way), "\(script.name) has \(way)")
      }
    }
  }

  @Test(arguments: [false, true]) func thePageLearnsWhetherTheServerWrites(isWriting: Bool) async throws {
    try await withTemporaryStore(Model(entities: [])) { store in
      let server = try DaybookServer(store: store, configuration: ServerConfiguration(allowsWriting: isWriting))
      try await server.application.test(.router) { client in
        let response = try await client.execute(uri: "/page/session", method: .get)
        #expect(String(buffer: response.body).contains("\"writing\": \(isWriting)"))
      }
    }
  }

  @Test func gzipReadsWhatTheEncoderWrites() throws {
    let inputs = PageFile.all.map(\.contents) + [[], [7], [UInt8](repeating: 65, count: 100_000)]
    for input in inputs { #expect(try gunzip(GzipEncoder.encode(input)) == input) }
    // The quick way, and texts with few letters, whose codes are deep.
    for input in inputs { #expect(try gunzip(GzipEncoder.encode(input, effort: .quick)) == input) }
    var (deep, share) = ([UInt8](), (1, 1))
    for letter in UInt8(0)..<24 {
      deep += [UInt8](repeating: letter, count: share.0)
      share = (share.1, share.0 + share.1)
    }
    // In an order without repetitions, so that bytes are written and not copies.
    deep = deep.indices.map { deep[($0 * 7_919) % deep.count] }
    #expect(try gunzip(GzipEncoder.encode(deep)) == deep)
    try SeededRandom.run(4) { random in
      let letters = random.pick([2, 4, 30, 256])
      let input = (0..<5_000).map { _ in UInt8(random.number(0..<letters)) }
      let output = try gunzip(GzipEncoder.encode(input))
      #expect(output == input)
    }
  }

  @Test func answersWithJSONAreCompressedForClientsThatTakeGzip() async throws {
    try await withTemporaryStore(RowStore.model) { store in
      for number in 0..<60 {
        try await store.write { _ = try $0.insert("Row", ["name": .string("a name \(number)")]) }
      }
      try await DaybookServer(store: store).application.test(.router) { client in
        for uri in ["/api/fetch/Row", "/api/commits", "/api/model"] {
          let plain = try await client.execute(uri: uri, method: .get)
          #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept-Encoding", "\(uri)")
          let taken = try await client.execute(uri: uri, method: .get, headers: [.acceptEncoding: "br, gzip"])
          #expect(taken.headers[.vary] == "Accept-Encoding" && taken.headers[.eTag] == plain.headers[.eTag])
          guard plain.body.readableBytes >= 1_024 else {
            #expect(taken.headers[.contentEncoding] == nil, "\(uri)")
            continue
          }
          #expect(taken.headers[.contentEncoding] == "gzip", "\(uri)")
          #expect(taken.body.readableBytes < plain.body.readableBytes / 2, "\(uri)")
          #expect(try gunzip(Array(buffer: taken.body)) == Array(buffer: plain.body), "\(uri)")
          let known = try #require(plain.headers[.eTag])
          let same = try await client.execute(
            uri: uri, method: .get, headers: [.acceptEncoding: "gzip", .ifNoneMatch: known])
          #expect(same.status == .notModified && same.headers[.vary] == "Accept-Encoding")
        }
      }
    }
  }

  @Test func theStoreIsNamedOnlyToThoseWhoMayReadIt() async throws {
    try await withTemporaryStore(Model(entities: [])) { store in
      let name = try #require(store.path.split(separator: "/").last)
      try await DaybookServer(store: store).application.test(.router) { client in
        let response = try await client.execute(uri: "/page/session", method: .get)
        #expect(String(buffer: response.body).contains("\"store\": \"\(name)\""))
      }
    }
  }

  private func withClient(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
    try await withTemporaryStore(Model(entities: [])) { store in
      try await DaybookServer(store: store).application.test(.router, body)
    }
  }

  private func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
    defer { try? FileManager.default.removeItem(at: file) }  // A file that stays behind harms nothing.
    try Data(bytes).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let result = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return [UInt8](result)
  }
}

#endif
