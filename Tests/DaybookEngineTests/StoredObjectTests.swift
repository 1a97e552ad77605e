import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Objects whose values are decoded when they are asked for.
@Suite(.hangLimit) struct StoredObjectTests {
  private let model: ResolvedModel
  private var plant: ResolvedEntity { model.entities[1] }

  init() throws { model = try ResolvedModel(creating: Garden.model) }

  private func record(_ build: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendRecordHead(
      Stamps(
        created: 2, createdAt: Timestamp(microseconds: 5), changed: 3, changedAt: Timestamp(microseconds: 6), last: 3))
    build(&bytes)
    return bytes
  }

  private func object(_ record: [UInt8]) throws -> StoredObject {
    try StoredObject(
      ObjectID(high: 1, low: 1), RecordView(record.rawSpan), layout: plant.recordLayout, foreignTargets: [])
  }

  private func tag(_ name: String) -> DaybookModel.Tag { plant.attributes[plant.attribute(named: name)!].tag }
  private var bedTag: DaybookModel.Tag { plant.relationships[0].tag }

  @Test func valuesAreReadByNameInAnyOrder() throws {
    let bed = ObjectID(high: 2, low: 2)
    let object = try object(
      record {
        $0.appendField(tag("name"), "Rose")
        $0.appendField(tag("height"), 4)
        $0.appendLink(bedTag, target: bed, orderKey: [9].rawSpan)
      })
    #expect(object.entity == "Plant")
    #expect(object["height"] == 4)
    #expect(object["name"] == "Rose")
    #expect(object["colour"] == .null)
    #expect(object.target("bed") == bed)
    #expect(object.target("garden") == nil)
    #expect(object.values.map(\.name) == ["name", "height"])
    #expect(object.values.map(\.value) == ["Rose", 4])
    #expect(object.links.map(\.target) == [bed])
    #expect((object.createdAt.microseconds, object.changedAt.microseconds) == (5, 6))
  }

  @Test func aMissingFieldIsNull() throws {
    let object = try object(record { $0.appendField(tag("name"), "Rose") })
    #expect(object["height"] == .null)
    #expect(object.values.map(\.value) == ["Rose", .null])
    #expect(object.links.map(\.target) == [nil])
  }

  @Test func objectsWithTheSameMeaningAreEqual() throws {
    let plain = try object(record { $0.appendField(tag("name"), "Rose") })
    let explicit = try object(
      record {
        $0.appendField(tag("name"), "Rose")
        $0.appendField(tag("height"), .null)
      })
    let other = try object(record { $0.appendField(tag("name"), "Tulip") })
    #expect(plain == explicit)
    #expect(plain.hashValue == explicit.hashValue)
    #expect(plain != other)
  }

  @Test func aFieldThatCannotBeDecodedIsRefusedAtOnce() throws {
    var invalidText: [UInt8] = []
    invalidText.appendFieldHeader(tag("name"), .text)
    invalidText += [2, 0xc3, 0x28]
    var longInvalidText: [UInt8] = []
    longInvalidText.appendFieldHeader(tag("name"), .text)
    longInvalidText += [12] + Array("eleven byte".utf8) + [0xff]
    var valueAsLink: [UInt8] = []
    valueAsLink.appendField(bedTag, "Roses")
    var shortLink: [UInt8] = []
    shortLink.appendFieldHeader(bedTag, .orderedLink)
    shortLink += [3, 1, 2, 3]
    var badDecimal: [UInt8] = []
    badDecimal.appendFieldHeader(tag("height"), .decimal)
    badDecimal += [2, 9, 0]
    for field in [invalidText, longInvalidText, valueAsLink, shortLink, badDecimal] {
      #expect(throws: MalformedBytes.self) { try object(record { $0 += field }) }
    }
  }

  @Test func textBeyondASCIIIsRead() throws {
    for text in ["é", "Köln am Rhein", "naïve façade", "日本語の長いテキスト", "12345678é", ""] {
      #expect(try object(record { $0.appendField(tag("name"), .string(text)) })["name"] == .string(text))
    }
  }
}
