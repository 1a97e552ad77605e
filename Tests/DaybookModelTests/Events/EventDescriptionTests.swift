import DaybookModel
import Testing

/// Events as lines of text.
@Suite(.hangLimit) struct EventDescriptionTests {
  private let cake = ObjectID(high: 0, low: 0xcafe_0000_0001)
  private let pie = ObjectID(high: 0, low: 0xcafe_0000_0002)

  private func text(_ content: Event.Content) -> String {
    "\(Event(entity: "Recipe", object: cake, previous: nil, former: nil, content: content))"
  }

  private func link(from: ObjectID?, to: ObjectID?) -> Event.Link {
    Event.Link(
      relationship: "next", isOrdered: false, from: from, fromPrevious: nil, to: to, targetPrevious: nil, oldOrder: [],
      newOrder: [])
  }

  @Test func anEventIsOneLine() {
    let name = Event.Change(name: "name", type: .string, old: "Cake", new: "Pie")
    let note = Event.Change(name: "note", type: .string, old: nil, new: .string(String(repeating: "a", count: 100)))
    let value = NamedValue(name: "servings", type: .integer, value: 4)
    #expect(text(.renamed(name)) == "renamed Recipe 00000001: name “Cake” → “Pie”")
    #expect(text(.set([note])) == "set Recipe 00000001: note null → “\(String(repeating: "a", count: 60))…”")
    #expect(text(.inserted([value], links: [])) == "inserted Recipe 00000001: servings 4")
    #expect(
      text(.deleted([value], links: [NamedLink(name: "next", target: pie)]))
        == "deleted Recipe 00000001: servings 4, next 00000002")
    #expect(text(.deleted([], links: [])) == "deleted Recipe 00000001")
    #expect(text(.related(link(from: nil, to: pie))) == "related Recipe 00000001: next none → 00000002")
    #expect(text(.unrelated(link(from: pie, to: nil))) == "unrelated Recipe 00000001: next 00000002 → none")
    #expect(
      text(.recorded(name: "RecipeCooked", fields: [value])) == "recorded Recipe 00000001: RecipeCooked, servings 4")
    #expect(text(.unknown([1, 2])) == "unknown Recipe 00000001: 2 bytes of a later version")
  }

  @Test func aCodableValueIsShownAsItsJSON() {
    let tags = Event.Change(name: "tags", type: .codable, old: nil, new: .data(Array(#"["a"]"#.utf8)))
    #expect(text(.set([tags])) == #"set Recipe 00000001: tags null → ["a"]"#)
  }
}
