import DaybookMacros
import DaybookTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import ApplicationSupport
@testable import DaybookServer
@testable import Recipes

/// The bytes of large values of open forms, over HTTP.
@Suite(.hangLimit) struct FormValueTests {
  /// Bytes of several pieces that begin as a PNG file does.
  private static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 1000) }
  private static let digest = Digest(hashing: picture.rawSpan)

  /// Runs the forms of the recipes in a server without a socket.
  private func withForms(
    _ body: @escaping @Sendable (any TestClientProtocol, OpenForms, Store) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let application = try Recipes.application()
    let store = try application.openStore(in: directory.path, options: TestJournal.options())
    // Without streams the forms would be dropped after a minute, which a busy machine can take.
    let start = ContinuousClock.now
    let forms = OpenForms(of: application, in: store) { start }
    var mount = StoreMount(store, at: "/recipes")
    mount.routes = FormRoutes(forms).routes
    let server = try DaybookServer(mounting: [mount], configuration: ServerConfiguration())
    try await server.application.test(.router) { client in try await body(client, forms, store) }
    try closeAndVerify(store)
  }

  /// Opens the form of a recipe; with the picture chosen in it.
  private static func open(_ forms: OpenForms, in store: Store, choosing isChosen: Bool = true) throws -> OpenForm {
    let pie = try #require(try store.fetch(Recipe.where { $0.name == "Apple pie" }).rows.first)
    let form = try forms.open("recipe", object: pie.id.objectID, Input(.null))
    let base64 = Data(picture).base64EncodedString()
    if isChosen { try form.perform("choose photo", Input(["photo": .string(base64), "thumbnail": "AA=="])) }
    return form
  }

  private static func path(_ form: OpenForm, _ digest: Digest = digest) -> String {
    "/recipes/forms/\(form.id)/values/\(digest)"
  }

  private static let stored = "/recipes/api/values/\(digest)"

  private static func get(
    _ client: any TestClientProtocol, _ path: String, tag: String? = nil
  ) async throws -> TestResponse {
    try await client.execute(uri: path, method: .get, headers: tag.map { [.ifNoneMatch: $0] } ?? [:])
  }

  @Test func aChosenPictureIsReadFromTheFormUntilItIsSavedAndFromTheStoreThen() async throws {
    try await withForms { client, forms, store in
      let form = try Self.open(forms, in: store)
      #expect(try await Self.get(client, Self.stored).status == .notFound)
      let pending = try await Self.get(client, Self.path(form))
      #expect(pending.status == .ok)
      #expect(Array(pending.body.readableBytesView) == Self.picture)
      let unchanged = try await Self.get(client, Self.path(form), tag: "\"\(Self.digest)\"")
      #expect(unchanged.status == .notModified)
      _ = try form.save(author: "Julia")
      forms.drop(form)
      let saved = try await Self.get(client, Self.stored)
      #expect(Array(saved.body.readableBytesView) == Self.picture)
      for name in [HTTPField.Name.contentType, .contentDisposition, .eTag, .cacheControl, .xContentTypeOptions] {
        #expect(pending.headers[name] == saved.headers[name] && saved.headers[name] != nil, "\(name)")
      }
      #expect(try await Self.get(client, Self.path(form)).status == .notFound)
    }
  }

  @Test func aFormHasWhatTheStoreHasAndNothingOfAnotherForm() async throws {
    try await withForms { client, forms, store in
      let form = try Self.open(forms, in: store)
      let other = try Self.open(forms, in: store, choosing: false)
      #expect(try await Self.get(client, Self.path(other)).status == .notFound)
      _ = try form.save(author: nil)
      #expect(Array(try await Self.get(client, Self.path(other)).body.readableBytesView) == Self.picture)
      for text in ["0", "x", String(repeating: "0", count: 64), "..%2f"] {
        let answer = try await Self.get(client, "/recipes/forms/\(other.id)/values/\(text)")
        #expect(answer.status == .notFound, "\(text)")
      }
    }
  }

  @Test func anUndonePictureIsReadableForRedoAndACancelledOneIsGone() async throws {
    try await withForms { client, forms, store in
      let form = try Self.open(forms, in: store)
      try form.undo()
      #expect(try await Self.get(client, Self.path(form)).status == .ok)
      try form.context.redo()
      #expect(try await Self.get(client, Self.path(form)).status == .ok)
      let value = try #require(try form.context.largeValue(Self.digest))
      forms.drop(form)
      #expect(try await Self.get(client, Self.path(form)).status == .notFound)
      // An answer that has begun has all of its bytes.
      #expect(try value.bytes() == Self.picture)
    }
  }
}
