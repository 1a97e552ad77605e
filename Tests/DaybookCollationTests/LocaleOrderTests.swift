#if Collation && Macros

import Daybook
import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookCollation

@Entity struct Singer: Hashable {
  @Name @Attribute(order: .locale("sv")) var name: String
}

/// The orders of languages, compared with another implementation of the Unicode Collation Algorithm.
@Suite(.hangLimit) struct LocaleOrderTests {
  init() { LocaleCollation.icu.makeKnown() }

  static let locales = ["cs", "da", "de", "es", "et", "fr", "hu", "pl", "sv", "tr"]

  private func model(_ locale: String) -> Model {
    Model(entities: [
      Entity(
        name: "Word", nameAttribute: "text",
        attributes: [
          Attribute(name: "text", type: .string, order: .locale(locale)),
          Attribute(name: "plain", type: .string),
        ],
        indexes: [Index([SortTerm(path: ["text"])])])
    ])
  }

  private func insert(_ words: [String], _ store: Store) throws {
    try store.write { tx in
      for word in words { try tx.insert("Word", ["text": .string(word), "plain": .string(word)]) }
    }
  }

  private func words(_ store: Store, _ request: Request<StoredObject>) throws -> [String] {
    try store.fetch(request).rows.map { "\($0["text"])" }
  }

  /// The words of a language in their order; words that differ in case alone in the order of their bytes.
  private func expectedWords(_ locale: String) throws -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/\(locale).txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").flatMap { line in
      line.split(separator: " ").map(String.init).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
  }

  @Test(arguments: locales) func wordsAreInTheOrderOfTheirLanguage(locale: String) throws {
    let expected = try expectedWords(locale)
    #expect(expected.count == 400)
    try withTemporaryStore(model(locale)) { store in
      try insert(expected.shuffled(), store)
      let byIndex = Request(entity: "Word", sort: [SortTerm(path: ["text"])])
      #expect(try store.read { try $0.explain(byIndex) }.contains("in order"))
      #expect(try words(store, byIndex) == expected)
      let live = try store.liveResults(of: byIndex)
      #expect(try live.fetched().rows.map { "\($0["text"])" } == expected)
      let byTerm = Request(entity: "Word", sort: [try SortTerm(parsing: "plain:locale:\(locale):desc")])
      #expect(try words(store, byTerm) == expected.reversed())
      #expect(try store.read { try $0.explain(byTerm) }.contains("sort: plain:locale:\(locale):desc"))
      let half = expected[200]
      let following = Request<StoredObject>(
        entity: "Word", filter: Filter(.path("text"), .greater, .value(.string(half))), sort: [SortTerm(path: ["text"])]
      )
      #expect(try words(store, following) == Array(expected[201...]))
    }
  }

  @Test func numbersAreComparedByTheirValuesAndCaseIsIgnored() throws {
    try withTemporaryStore(model("en")) { store in
      let expected = ["a 1", "A 2", "a 10", "B", "b", "côte", "coté", "Crème 9", "crème 10", "file"]
      try insert(expected.shuffled(), store)
      let found = try words(store, Request(entity: "Word", sort: [SortTerm(path: ["text"])]))
      #expect(found == ["a 1", "A 2", "a 10", "B", "b", "coté", "côte", "Crème 9", "crème 10", "file"])
    }
  }

  @Test(arguments: [
    (
      "sv", ["9 lives", "Aaron", "Éva", "zebra", "Åsa", "Ärla", "Öl", "Ωmega"],
      ["#", "A", "E", "Z", "Å", "Ä", "Ö", "Ω"]
    ),
    ("de", ["Arzt", "Äpfel", "Österreich", "ßuper", "Zug"], ["A", "O", "S", "Z"]),
    ("cs", ["cena", "čas", "chata", "hora"], ["C", "Č", "H", "CH"]),
    ("hu", ["alma", "Árpád", "csak", "dob", "élet", "ószeres", "öröm", "őz"], ["A", "CS", "D", "E", "O", "Ö"]),
    ("sk", ["Dana", "ďakujem", "ísť", "ľad", "ňuch", "ťava"], ["D", "I", "L", "N", "T"]),
    ("lt", ["ananasas", "ąžuolas", "ėjimas", "įlanka", "yra", "ūkas"], ["A", "E", "I", "U"]),
    ("lv", ["ābols", "ēna", "ģimene", "ļoti"], ["A", "E", "Ģ", "Ļ"]),
  ])
  func initialsAreTheLettersOfTheLanguage(locale: String, texts: [String], initials: [String]) throws {
    try withTemporaryStore(model(locale)) { store in
      try insert(texts, store)
      let request = Request<StoredObject>(
        entity: "Word", sort: [SortTerm(path: ["text"])], section: try SectionKey(parsing: "text.initial"))
      #expect(try store.fetch(request).sections.map(\.name) == initials)
      let live = try store.liveResults(of: request)
      #expect(try live.fetched().sections.map(\.name) == initials)
      let ids = try store.fetch(request).rows.map(\.id)
      try store.write { try $0.set(ids[0], ["text": .string(texts[texts.count - 1] + "a")]) }
      _ = try live.update()
      #expect(try live.fetched().sections.map(\.name) == store.fetch(request).sections.map(\.name))
      #expect(try live.fetched().rows.map(\.id) == store.fetch(request).rows.map(\.id))
    }
  }

  /// The index characters of each locale that ICU orders; see `Tools/index-letter-cases`.
  private static func indexLetters(
    _ name: String = "index-letters.txt"
  ) throws -> [(locale: String, letters: [String])] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/\(name)")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
      // A letter may be a mark, which would be one character with the blank before it.
      let words = line.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      return (words[0], Array(words.dropFirst()))
    }
  }

  @Test func eachLocaleHasTheIndexLettersOfItsLanguage() throws {
    let cases = try Self.indexLetters()
    #expect(cases.count > 100)
    for (locale, letters) in cases {
      let index = try #require(IndexLetters(locale), "\(locale) is not offered")
      #expect(index.names == letters, "\(locale)")
      // Lists of zh_Hant are divided by numbers of strokes, whose names are no texts of their section; and ICU has this
      // letter of Khmer in the section before it.
      for letter in letters where !locale.hasPrefix("zh_Hant") && letter != "\u{17AA}" {
        #expect(index.initial(of: letter) == letter, "\(letter) in \(locale)")
        // POSIX has the order of ASCII, where small letters follow Z.
        if locale == "en_US_POSIX" { continue }
        let small = letter.lowercased(with: Locale(identifier: locale))
        #expect(index.initial(of: small) == letter, "\(letter) in lower case in \(locale)")
      }
    }
  }

  /// The index characters of the Unicode Common Locale Data Repository, which the index does not have from the test.
  @Test func eachIndexCharacterIsUnderALetterOfItsPrimaryWeight() throws {
    let cases = try Self.indexLetters("index-exemplars.txt")
    #expect(cases.count > 100)
    var lacking: Set<String> = []
    for (locale, pairs) in cases {
      let index = try #require(IndexLetters(locale), "\(locale) is not offered")
      for pair in pairs {
        let parts = pair.unicodeScalars.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 2)
        if parts[1].isEmpty { lacking.insert(locale) }
        // As above: lists by strokes, and a letter of Khmer.
        if parts[1].isEmpty || locale.hasPrefix("zh_Hant") || parts[1] == "\u{17AA}" { continue }
        #expect(index.initial(of: parts[0]) == parts[1], "\(parts[0]) in \(locale)")
      }
    }
    // Marks, and sequences of letters that the order of these languages does not sort as one letter.
    let known: Set = ["as", "bn", "gu", "hsb", "ln", "lo", "mr", "mt", "sw", "ug", "yi"]
    #expect(lacking.filter { !$0.hasPrefix("zh_Hant") } == known)
  }

  @Test(arguments: ["xx", "no such", "", "x-private", "sv=1"]) func anUnknownLocaleIsRefused(locale: String) throws {
    let error = #expect(throws: StoreError.self) { try withTemporaryStore(model(locale)) { _ in } }
    #expect(error?.code == .badModel && error?.message.contains("knows the locale “\(locale)”") == true)
    try withTemporaryStore(model("en")) { store in
      let request = Request(entity: "Word", sort: [SortTerm(path: ["plain"], order: .locale(locale))])
      #expect(throws: StoreError.self) { try store.fetch(request) }
    }
  }

  @Test func anOrderIsForStringsAlone() throws {
    try withTemporaryStore(model("en")) { store throws in
      #expect(throws: StoreError.self) {
        try store.fetch(Request(entity: "Word", sort: [try SortTerm(parsing: "createdAt:natural")]))
      }
      for text in ["plain:", "plain:locale:", "plain:locale", "plain:nature", "plain:desc:natural"] {
        #expect(throws: QueryError.self) { try SortTerm(parsing: text) }
      }
      for text in ["plain:natural:desc", "plain:locale:sv", "plain:locale:de-u-co-phonebk:desc", "plain"] {
        #expect(try SortTerm(parsing: text).description == text)
      }
      #expect(throws: QueryError.self) { try SectionKey(parsing: "plain:natural") }
    }
  }

  @Test func theOrderIsWrittenAtAProperty() throws {
    try withTemporaryStore(try Model(Singer.self)) { store in
      try store.write { tx in
        for name in ["Ängla", "Zara", "åke"] { try tx.insert(Singer(name: name)) }
      }
      #expect(try store.fetch(Singer.all.sorted(by: \.name)).rows.map(\.name) == ["Zara", "åke", "Ängla"])
      let german = Singer.all.sorted(by: \.name, .descending, order: .locale("de"))
      #expect(try store.fetch(german).rows.map(\.name) == ["Zara", "Ängla", "åke"])
    }
  }

  @Test func aModelFileNamesTheLocale() throws {
    let model = model("sv")
    #expect(model.text.contains(#""order": "locale:sv""#))
    let parsed = try Model(parsing: Array(model.text.utf8))
    #expect(parsed == model)
  }
}

#endif
