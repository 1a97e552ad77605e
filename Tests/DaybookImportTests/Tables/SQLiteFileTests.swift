#if Import

import DaybookModel
import Foundation
import GRDB
import Testing

@testable import DaybookImport

@Suite(.hangLimit, SharedTables.needed)
struct SQLiteFileTests {
  static let name = "Chinook.sqlite"
  private var path: String { SharedTables.path("sqlite", Self.name) }

  @Test
  func `tables, links and values are those that Python reads`() throws {
    let want = try #require(SharedTables.expected[Self.name]?["tables"]?.members)
    let source = try SQLiteSource(path: path)
    let counts = source.objectCounts()
    let entities = want.filter { $0.value["joinTable"]?.booleanValue == false }
    #expect(counts.count == entities.count)
    for (table, value) in entities {
      #expect(counts[table] == value["rows"]?.integerValue.map { Int($0) })
      try checkColumns(of: table, value, source)
    }
    #expect(source.notes().isEmpty)
    try checkLinks(want, source)
  }

  private func checkColumns(of table: String, _ want: JSONValue, _ source: SQLiteSource) throws {
    let attributes = source.attributes(of: table).map(\.attribute)
    var lines = attributes.map { _ in [[UInt8]]() }
    var keys: Set<SourceKey> = []
    try source.forEachObject(of: table) { object in
      #expect(object.faults.isEmpty && keys.insert(object.key).inserted)
      for (index, value) in object.values.enumerated() where !value.isNull {
        guard case .value(let value) = value else { continue }
        lines[index].append(text(value))
      }
    }
    let replaced = Set(
      (want["foreignKeys"]?.elements ?? []).flatMap { $0["columns"]?.elements?.compactMap(\.stringValue) ?? [] })
    let columns = (want["columns"]?.members ?? []).filter { !replaced.contains($0.key) }
    #expect(attributes.map(\.name) == columns.map(\.key))
    for (index, (name, column)) in columns.enumerated() {
      #expect(lines[index].count == column["nonNull"]?.integerValue.map { Int($0) }, "\(table).\(name)")
      #expect(SharedTables.checksum(lines[index]) == column["sha256"]?.stringValue, "\(table).\(name)")
      #expect(attributes[index].isOptional == (column["required"]?.booleanValue == false), "\(table).\(name)")
    }
  }

  /// Returns a value as `expected.py` writes the stored one.
  private func text(_ value: Value) -> [UInt8] {
    switch value {
    case .string(let text): return SharedTables.json(text)
    case .integer(let number): return Array(String(number).utf8)
    case .decimal:
      let digits = String((Double(value.text) ?? .nan).bitPattern, radix: 16)
      return Array(("\"f:" + String(repeating: "0", count: 16 - digits.count) + digits + "\"").utf8)
    case .date(let time):
      return SharedTables.json(
        time.description.replacingOccurrences(of: "T", with: " ").replacingOccurrences(of: "Z", with: ""))
    default: return Array(value.text.utf8)
    }
  }

  private func checkLinks(_ want: [(key: String, value: JSONValue)], _ source: SQLiteSource) throws {
    var found: [String: Int] = [:]
    for field in source.relationships {
      let notes = try source.forEachLink(of: field) { link in found[field.description, default: 0] += 1 }
      #expect(notes.isEmpty)
    }
    #expect(
      found == [
        "Album.Artist": 347, "Customer.SupportRep": 59, "Employee.ReportsTo": 7, "Invoice.Customer": 412,
        "InvoiceLine.Track": 2_240, "InvoiceLine.Invoice": 2_240, "Playlist.Tracks": 8_715, "Track.Playlists": 8_715,
        "Track.Album": 3_503, "Track.MediaType": 3_503, "Track.Genre": 3_503,
      ])
    let total = want.flatMap { $0.value["foreignKeys"]?.elements ?? [] }.compactMap { $0["links"]?.integerValue }
      .reduce(0, +)
    #expect(found.values.reduce(0, +) == Int(total))
  }

  @Test
  func `types and constraints follow from the declarations`() throws {
    let source = try SQLiteSource(path: path)
    let types = Dictionary(
      uniqueKeysWithValues: source.lookup.model.entities.flatMap { entity in
        entity.attributes.map { ("\(entity.name).\($0.name)", $0.type) }
      })
    #expect(types["Track.UnitPrice"] == .decimal && types["Invoice.InvoiceDate"] == .date)
    #expect(types["Employee.BirthDate"] == .date && types["Track.Milliseconds"] == .integer64)
    #expect(types["Customer.PostalCode"] == .string && types["Album.AlbumId"] == .integer64)
    #expect(source.lookup.entity("Album")?.uniquenessConstraints == [["AlbumId"]])
    let artist = try #require(source.lookup.relationship(SourceField("Album", "Artist")))
    #expect(!artist.isOptional && !artist.isToMany && artist.inverse == nil && artist.hiddenInverseDeleteRule == .deny)
    let tracks = try #require(source.lookup.relationship(SourceField("Playlist", "Tracks")))
    #expect(tracks.isToMany && tracks.inverse == "Playlists" && tracks.destination == "Track")
  }

  @Test
  func `inverses are named by the plural of the table`() throws {
    var options = SQLiteOptions()
    options.inverses = true
    let source = try SQLiteSource(path: path, options: options)
    let albums = try #require(source.lookup.relationship(SourceField("Artist", "Albums")))
    #expect(albums.isToMany && albums.inverse == "Artist" && albums.deleteRule == .deny)
    for field in source.relationships {
      let inverse = try #require(source.lookup.mutualInverse(of: field)).field
      var (links, back): (Set<SourceLink>, Set<SourceLink>) = ([], [])
      _ = try source.forEachLink(of: field) { links.insert($0) }
      _ = try source.forEachLink(of: inverse) { back.insert(SourceLink(source: $0.target, target: $0.source)) }
      #expect(links == back, "\(field)")
    }
  }

  @Test
  func `links are sorted by their source`() throws {
    let source = try SQLiteSource(path: path)
    for field in source.relationships {
      var last: SourceLink?
      _ = try source.forEachLink(of: field) { link in
        if let last { #expect((last.source, last.target) < (link.source, link.target)) }
        last = link
      }
    }
  }
}

#endif
