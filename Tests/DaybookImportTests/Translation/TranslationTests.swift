#if Import

import DaybookModel
import Testing

@testable import DaybookImport

/// The model of a source as a model of Daybook.
@Suite(.hangLimit)
struct TranslationTests {
  private func translate(
    _ entities: SourceEntity..., options: TranslationOptions = TranslationOptions()
  ) throws -> Translation {
    var model = SourceModel()
    model.entities = entities
    return try Translation(of: SourceLookup(model, origin: "test"), options, origin: "test")
  }

  private func note(_ attributes: SourceAttribute...) -> SourceEntity {
    var entity = SourceEntity(name: "Note")
    entity.attributes = attributes
    return entity
  }

  private func attributes(_ translation: Translation) -> [String: Attribute] {
    Dictionary(uniqueKeysWithValues: translation.model.entities[0].attributes.map { ($0.name, $0) })
  }

  @Test
  func `types have one counterpart each`() throws {
    let types: [(SourceAttributeType, AttributeType)] = [
      (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.decimal, .decimal), (.double, .double),
      (.float, .double), (.string, .string), (.boolean, .boolean), (.date, .date), (.binary, .data), (.uuid, .uuid),
      (.uri, .string), (.transformable, .data),
    ]
    for (type, wanted) in types {
      let attribute = try translate(note(.optional("value", type))).model.entities[0].attributes[0]
      #expect(attribute == Attribute(name: "value", type: wanted, isOptional: true))
    }
  }

  @Test
  func `reserved and clashing names get underscores`() throws {
    let translation = try translate(
      note(
        .optional("id", .string), .optional("like", .string), .optional("createdAt", .date),
        .optional("createdAt_", .date),
        .optional("plain", .string)))
    #expect(
      translation.model.entities[0].attributes.map(\.name) == ["id_", "like_", "createdAt__", "createdAt_", "plain"])
    #expect(translation.report.entities[0].attributes.map(\.newName).first == "id_")
  }

  @Test
  func `names can be chosen`() throws {
    var options = TranslationOptions()
    options.renames = ["Note.id": "key", "Note": "Memo"]
    let translation = try translate(note(.optional("id", .string), .optional("key_", .string)), options: options)
    #expect(translation.model.entities[0].name == "Memo")
    #expect(translation.model.entities[0].attributes.map(\.name) == ["key", "key_"])
    for (rename, text) in [
      (["Note.x": "y"], "Note.x"), (["Note.id": "like"], "reserved"), (["Note.id": "key_"], "taken"),
    ] {
      var options = TranslationOptions()
      options.renames = rename
      try expectError(text) {
        _ = try translate(note(.optional("id", .string), .optional("key_", .string)), options: options)
      }
    }
  }

  @Test
  func `defaults and rules are kept where they agree`() throws {
    var size = SourceAttribute.required("size", .integer16)
    size.defaultValue = .integer(4)
    (size.rules.minimum, size.rules.maximum) = (.integer(1), .integer(9))
    var broken = SourceAttribute.required("broken", .integer16)
    broken.defaultValue = .integer(0)
    broken.rules.minimum = .integer(1)
    var code = SourceAttribute.optional("code", .string)
    (code.rules.minimumLength, code.rules.maximumLength, code.rules.pattern) = (2, 8, "a+|b")
    var strange = SourceAttribute.optional("strange", .string)
    strange.rules.pattern = "(?<=a)(?"
    let translation = try translate(note(size, broken, code, strange))
    let found = attributes(translation)
    #expect(found["size"]?.defaultValue == .integer(4))
    #expect(found["size"]?.rules == [.minimum(.integer(1)), .maximum(.integer(9))])
    #expect(found["broken"]?.defaultValue == .null)
    #expect(found["code"]?.rules == [.minimumLength(2), .maximumLength(8), .pattern("^(?:a+|b)$")])
    #expect(found["strange"]?.rules == [])
    #expect(translation.report.changed.map(\.what) == ["Note.broken", "Note.strange"])
  }

  @Test
  func `what is not stored is dropped with a reason`() throws {
    var transient = SourceAttribute.optional("shown", .string)
    transient.isTransient = true
    var entity = note(transient, .optional("nothing", .undefined), .optional("text", .string))
    entity.fetchedProperties = [
      SourceFetchRequest(name: "similar", entity: "Note", predicate: "text == $FETCH_SOURCE.text")
    ]
    let translation = try translate(entity)
    #expect(translation.model.entities[0].attributes.map(\.name) == ["text"])
    #expect(
      translation.report.entities[0].attributes.filter { $0.dropReason != nil }.map(\.name) == ["shown", "nothing"])
    #expect(translation.report.dropped.map(\.what) == ["Note.similar"])
  }

  @Test
  func `composite attributes are flattened`() throws {
    let inner = SourceAttribute.required("point", .composite([.required("x", .double), .required("y", .double)]))
    let translation = try translate(note(.optional("place", .composite([.optional("name", .string), inner]))))
    #expect(
      translation.model.entities[0].attributes.map(\.name) == ["place_name", "place_point_x", "place_point_y"])
    #expect(translation.report.changed.first?.to == "place_name, place_point_x, place_point_y")
  }

  @Test
  func `derived attributes of Daybook's kinds stay derived`() throws {
    var count = SourceAttribute.required("count", .integer64)
    count.derivation = "lines.@count"
    var sum = SourceAttribute.required("sum", .integer64)
    sum.derivation = "lines.@sum.amount"
    var most = SourceAttribute.required("most", .integer64)
    most.derivation = "max:(lines.amount)"
    var mean = SourceAttribute.optional("mean", .double)
    mean.derivation = "lines.@avg.amount"
    var entity = note(count, sum, most, mean)
    entity.relationships = [.many("lines", "Line", inverse: "note")]
    var line = SourceEntity(name: "Line")
    line.attributes = [.required("amount", .integer32)]
    line.relationships = [.one("note", "Note", inverse: "lines")]
    let translation = try translate(entity, line)
    let found = attributes(translation)
    #expect(found["count"]?.derivation == .count(relationship: "lines"))
    #expect(found["sum"]?.derivation == .sum(relationship: "lines", attribute: "amount"))
    #expect(found["most"]?.derivation == .maximum(relationship: "lines", attribute: "amount"))
    #expect(found["mean"]?.type == .double)
    #expect(translation.report.changed.map(\.what) == ["Note.mean"])
  }

  @Test
  func `uniqueness and indexes of stored values are kept`() throws {
    var entity = note(.required("title", .string), .required("body", .binary))
    entity.relationships = [.one("parent", "Note")]
    entity.uniquenessConstraints = [["title"], ["title", "parent"], ["missing"]]
    entity.indexes = [
      SourceIndex(elements: [
        SourceIndex.Element(property: "title", isDescending: true), SourceIndex.Element(property: "parent"),
      ]),
      SourceIndex(elements: [SourceIndex.Element(property: "title", isDescending: true)]),
      SourceIndex(name: "places", elements: [SourceIndex.Element(property: "title", isSpatial: true)]),
      SourceIndex(elements: [SourceIndex.Element(property: "parent")]),
    ]
    let translation = try translate(entity)
    #expect(translation.model.entities[0].unique == [["title"], ["title", "parent"]])
    #expect(translation.model.entities[0].indexes.map { $0.terms.map(\.indexText) } == [["title:desc"]])
    #expect(translation.report.changed.map(\.what) == ["Note.missing"])
    #expect(translation.report.dropped.map(\.what) == ["Note: the index places"])
  }
}

#endif
