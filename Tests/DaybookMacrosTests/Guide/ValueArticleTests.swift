#if Macros

import DaybookMacros
import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

// A type with a format of its own, from the article about modelling.

/// A gray picture, which is stored as a PGM file of 256 shades.
struct Picture: ScalarValue, RawRepresentable, Hashable {
  var width: Int
  var shades: [UInt8]

  init(width: Int, shades: [UInt8]) {
    self.width = width
    self.shades = shades
  }

  /// The file.
  var rawValue: Data { Data("P5 \(width) \(shades.count / width) 255\n".utf8) + shades }

  init?(rawValue: Data) {
    // The magic number, width, height and the greatest shade are words; one blank ends the last of them.
    let parts = rawValue.split(maxSplits: 4, omittingEmptySubsequences: false) { [9, 10, 13, 32].contains($0) }
    let words = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 5, words[0] == "P5", words[3] == "255", let width = Int(words[1]), width > 0,
      let height = Int(words[2]), parts[4].count.quotientAndRemainder(dividingBy: width) == (height, 0)
    else { return nil }
    self.init(width: width, shades: Array(parts[4]))
  }
}

@Entity struct Portrait: Hashable {
  @Name var name: String
  var picture: Picture
  var thumbnail: Picture?
}

// A value that may be large, from the same article.

@Entity struct Scan: Hashable {
  @Name var name: String
  var image: Data?
}

/// Values of a type that has a format of its own.
@Suite(.hangLimit) struct ValueArticleTests {
  private let portrait = Portrait(
    name: "Ada", picture: Picture(width: 3, shades: [0, 10, 32, 128, 13, 255]), thumbnail: nil)

  @Test func theyAreStoredInTheirFormat() throws {
    let model = try Model(Portrait.self)
    #expect(model.entities[0].attributes.map(\.type) == [.string, .data, .data])
    #expect(model.entities[0].attributes.map(\.isOptional) == [false, false, true])
    try withTemporaryStore(model) { store in
      let id = try store.write { try $0.insert(portrait) }
      let file = Array("P5 3 2 255\n".utf8) + [0, 10, 32, 128, 13, 255]
      #expect(try store.get(id.objectID)?["picture"] == .data(file))
      #expect(try store.get(id)?.value == portrait)
      try store.write { try $0.set(id, \.thumbnail, Picture(width: 1, shades: [32])) }
      #expect(try store.get(id)?.thumbnail == Picture(width: 1, shades: [32]))
      #expect(try store.at(2).get(id)?.thumbnail == nil)
      #expect(try store.fetch(Portrait.where { $0.thumbnail != nil }).rows.map(\.name) == ["Ada"])
    }
  }

  @Test(arguments: ["", "P5", "P5 1 1 255\n", "P5 0 1 255\n", "P5 1 2 255\nx", "P6 1 1 255\nx", "P5 1 -1 255\n"])
  func whatTheirFormatRefusesIsAnErrorOfTheRead(file: String) throws {
    try withTemporaryStore(Model(Portrait.self)) { store in
      let id = try store.write { try $0.insert(portrait) }
      try store.write { try $0.set(id.objectID, ["picture": .data(Array(file.utf8))]) }
      let error = #expect(throws: StoreError.self) { try store.get(id) }
      #expect(error?.code == .badValue && error?.message.contains("is not a value of Picture") == true)
      #expect(try store.get(id.objectID)?["name"] == "Ada")
    }
  }

  @Test func aLargeValueIsReadAsAnyOther() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("photo")
    let image = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let other = Data(image.reversed())
    try other.write(to: URL(fileURLWithPath: path))
    try withTemporaryStore(Model(Scan.self)) { store in
      let scan = try store.write { try $0.insert(Scan(name: "Menu", image: image)) }
      let again = try store.get(scan)?.image
      #expect(again == image)
      var size = 0
      try store.write { try $0.set(scan.objectID, ["image": Value.data(contentsOf: path)]) }
      if case .large(let image) = try store.get(scan.objectID)?["image"] {
        print(image.size, image.sha256)
        try image.forEachChunk { size += $0.count }
      }
      #expect(size == 300_000)
      #expect(try store.get(scan)?.image == other)
      #expect(try store.at(2).get(scan)?.image == image)
      // Pictures of other types are decoded from the same bytes.
      #expect(try store.fetch(Scan.all).rows.map(\.image) == [other])
    }
  }

  @Test func aLargePictureIsDecodedFromItsBytes() throws {
    let large = Portrait(
      name: "Ada", picture: Picture(width: 500, shades: (0..<250_000).map { UInt8(truncatingIfNeeded: $0) }),
      thumbnail: nil)
    try withTemporaryStore(Model(Portrait.self)) { store in
      let id = try store.write { try $0.insert(large) }
      #expect(try store.get(id)?.value == large)
      guard case .large = try store.get(id.objectID)?["picture"] else { throw Mismatch("It is stored whole.") }
    }
  }
}

#endif
