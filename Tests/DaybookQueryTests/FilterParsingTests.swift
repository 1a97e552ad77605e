import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct FilterParsingTests {
  /// A text and its canonical text.
  static let productions: [(String, String)] = [
    ("name == \"Cake\"", "name == \"Cake\""),
    ("name = 'Cake'", "name == \"Cake\""),
    ("name<>'a'", "name != \"a\""),
    ("a != 1", "a != 1"),
    ("a<1", "a < 1"), ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"), ("a => 1", "a >= 1"),
    ("a>=1", "a >= 1"),
    ("4 < servings", "4 < servings"),
    ("a == b.c.d", "a == b.c.d"),
    ("1 == 1", "1 == 1"),
    ("a between {1,2}", "a BETWEEN {1, 2}"),
    ("a IN {}", "a IN {}"), ("a in {1, 'x', nil, TRUE}", "a IN {1, \"x\", nil, true}"),
    ("a BEGINSWITH 'x'", "a BEGINSWITH \"x\""),
    ("a endswith[c] 'x'", "a ENDSWITH[c] \"x\""),
    ("a CONTAINS [d] 'x'", "a CONTAINS[d] \"x\""),
    ("a like[dc] 'x*'", "a LIKE[cd] \"x*\""),
    ("a MATCHES[cd] 'x'", "a MATCHES[cd] \"x\""),
    ("a ==[c] 'x'", "a ==[c] \"x\""), ("a IN[cd] {'x'}", "a IN[cd] {\"x\"}"),
    ("a == nil AND b == NULL", "a == nil AND b == nil"),
    ("a == 1 && b == 2 || c == 3", "a == 1 AND b == 2 OR c == 3"),
    ("a == 1 AND (b == 2 OR c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("((a == 1)) or (b == 2 and c == 3)", "a == 1 OR b == 2 AND c == 3"),
    ("(a == 1 AND b == 2) AND c == 3", "a == 1 AND b == 2 AND c == 3"),
    ("!a == 1", "NOT a == 1"),
    ("! (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
    ("NOT NOT (a == 1)", "NOT NOT a == 1"),
    ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
    ("NOT (name IN {\"a\", \"b\"})", "NOT name IN {\"a\", \"b\"}"),
    ("any tags.name == 'x'", "ANY tags.name == \"x\""), ("SOME tags.name == 'x'", "ANY tags.name == \"x\""),
    ("ALL tags.name != 'x'", "ALL tags.name != \"x\""), ("none tags.name == 'x'", "NONE tags.name == \"x\""),
    ("tags.@count > 2", "tags.@count > 2"),
    (
      "ingredients.@sum.amount >= 3 OR ingredients.@avg.amount < 2.5",
      "ingredients.@sum.amount >= 3 OR ingredients.@avg.amount < 2.5"
    ),
    ("a, b.c CONTAINS[cd] 'x'", "a CONTAINS[cd] \"x\" OR b.c CONTAINS[cd] \"x\""),
    ("a, b == 1 AND c == 2", "(a == 1 OR b == 1) AND c == 2"),
    ("NOT a, any b.c, d IN {1}", "NOT (a IN {1} OR ANY b.c IN {1} OR d IN {1})"),
    ("tags.@count, a < 2 OR b == 1", "tags.@count < 2 OR a < 2 OR b == 1"),
    ("any tags where(name = 'x' and id != nil)", "ANY tags WHERE (name == \"x\" AND id != nil)"),
    ("SOME a.b WHERE ((c == 1))", "ANY a.b WHERE (c == 1)"), ("none a WHERE (b == 1)", "NONE a WHERE (b == 1)"),
    ("NOT all a WHERE (b == 1) or c == 2", "NOT ALL a WHERE (b == 1) OR c == 2"),
    ("count ( a.b where c > 2 ) >= 3", "COUNT(a.b WHERE c > 2) >= 3"),
    ("3 < COUNT(a WHERE (b == 1 OR c == 2) AND d == 3)", "3 < COUNT(a WHERE (b == 1 OR c == 2) AND d == 3)"),
    ("COUNT(a WHERE b == 1) == COUNT(c WHERE TRUEPREDICATE)", "COUNT(a WHERE b == 1) == COUNT(c WHERE TRUEPREDICATE)"),
    (
      "ALL a WHERE (COUNT(b WHERE NONE c WHERE (d == 1)) IN {1, 2})",
      "ALL a WHERE (COUNT(b WHERE NONE c WHERE (d == 1)) IN {1, 2})"
    ),
    (
      "a, b == COUNT(c WHERE d, e == 1)", "a == COUNT(c WHERE d == 1 OR e == 1) OR b == COUNT(c WHERE d == 1 OR e == 1)"
    ),
    // No name is reserved.
    ("count == where", "count == where"), ("ANY where == count", "ANY where == count"), ("a == COUNT", "a == COUNT"),
    ("ANY where WHERE (where == 1)", "ANY where WHERE (where == 1)"),
    (
      "COUNT(count WHERE count == COUNT(where WHERE where == 1)) > count",
      "COUNT(count WHERE count == COUNT(where WHERE where == 1)) > count"
    ),
    ("truepredicate", "TRUEPREDICATE"), ("FALSEPREDICATE OR a == 1", "FALSEPREDICATE OR a == 1"),
    ("createdAt >= 2026-01-01", "createdAt >= 2026-01-01T00:00:00Z"),
    (
      "createdAt BETWEEN {2026-01-01, 2026-02-01T10:30:00.5+02:00}",
      "createdAt BETWEEN {2026-01-01T00:00:00Z, 2026-02-01T08:30:00.500000Z}"
    ),
    ("a == -0044-03-15 OR a == +10000-01-01T00:00:00Z", "a == -0044-03-15T00:00:00Z OR a == +10000-01-01T00:00:00Z"),
    ("a == -4", "a == -4"), ("a == +4", "a == 4"), ("a == 1.50", "a == 1.5"), ("a == 2.0", "a == 2.0"),
    ("a == 1e3", "a == 1000.0"), ("a == 1.5E-2", "a == 0.015"), ("a == 1e300", "a == 1e+300"),
    ("a == 9223372036854775807", "a == 9223372036854775807"),
    ("a == 9223372036854775808", "a == 9223372036854775808.0"),
    ("a == Infinity OR a == -infinity", "a == Infinity OR a == -Infinity"),
    (#"a == "q\"q'q\\q\n\t\r\u{e9}\u{1F370}\'""#, #"a == "q\"q'q\\q\n\t\ré🍰'""#),
    (#"a == 'q"q'"#, #"a == "q\"q""#),
    ("a == \"\u{1}\"", #"a == "\u{1}""#),
    (" \t\n a\n==\n1 ", "a == 1"),
    ("größe == 1 AND _a1.b_2 == 2", "größe == 1 AND _a1.b_2 == 2"),
  ]

  @Test(arguments: productions) func `each production has its canonical text`(text: String, canonical: String) throws {
    let filter = try Filter(parsing: text)
    #expect(filter.description == canonical)
    #expect(try Filter(parsing: canonical) == filter)
  }

  /// What variables stand for in a text, and its canonical text.
  static let substitutions: [(String, String)] = [
    ("name, overview CONTAINS[cd] $text", #"name CONTAINS[cd] "a\"b" OR overview CONTAINS[cd] "a\"b""#),
    ("$text == name", #""a\"b" == name"#), ("$key == $number", "type.name == 4"),
    ("a IN $list", #"a IN {1, "x", nil}"#), ("a IN {0, $number,$text}", #"a IN {0, 4, "a\"b"}"#),
    ("a BETWEEN {$number, 7}", "a BETWEEN {4, 7}"), ("a BETWEEN $pair", "a BETWEEN {1, 2}"),
    ("$nothing == a", "nil == a"), ("größe < $größe", "größe < 2.5"),
  ]

  static let variables: [String: Filter.Operand] = [
    "text": .value("a\"b"), "number": .value(4), "list": .values([1, "x", nil]), "pair": .values([1, 2]),
    "key": .path("type.name"), "nothing": .value(nil), "größe": .value(.decimal(2.5)), "and": .value("not used"),
  ]

  @Test(arguments: substitutions) func `variables stand for what the caller gives`(
    text: String, canonical: String
  ) throws {
    #expect(try Filter(parsing: text, operands: Self.variables).description == canonical)
  }

  @Test func `a name of a value and a list stands for the list`() throws {
    let filter = try Filter(
      parsing: "a IN $both AND b == $one", variables: ["both": 3, "one": 1], lists: ["both": [2]])
    #expect(filter.description == "a IN {2} AND b == 1")
  }

  @Test func `keywords are words in any case and only as a whole`() throws {
    #expect(try Filter(parsing: "android == 1 aNd orders == 2").description == "android == 1 AND orders == 2")
    #expect(try Filter(parsing: "notes == nilly").description == "notes == nilly")
  }

  @Test func `filters built in code have the text that parses to them`() throws {
    let id = ObjectID(high: 1, low: 2)
    let filter =
      Filter(.path("name"), .beginsWith, .value("Ch"), options: .caseInsensitive)
      && !(Filter(.path("id"), .equal, .value(.uuid(id))) || Filter(.path("price"), .less, .value(0.1)))
      && Filter(.path("tags.@count"), .among, .values([1, .null, .double(2), .data([1, 2])]))
    #expect(
      filter.description == """
        name BEGINSWITH[c] "Ch" AND NOT (id == "00000000-0000-0001-0000-000000000002" OR price < 0.1) \
        AND tags.@count IN {1, nil, 2.0, "AQI="}
        """)
    #expect(try Filter(parsing: filter.description) == filter)
    #expect(Filter.all([]) == .always)
    #expect(Filter.any([]) == .never)
  }

  @Test func `a zero may be written with any exponent, and no other number becomes zero`() throws {
    for text in ["0e-400", "-0.00e-999", "0e5"] {
      #expect(try Filter(parsing: "a == \(text)").description == "a == 0.0", "\(text)")
    }
    #expect(try Filter(parsing: "a == 1e-300").description == "a == 1e-300")
  }

  @Test func `no quantifier and the quantifier none are two things`() throws {
    let none = Filter(.path("tags.name"), .equal, .value("x"), quantifier: .none)
    #expect(none.description == #"NONE tags.name == "x""#)
    #expect(Filter(.path("name"), .equal, .value("x"), quantifier: nil) == Filter(.path("name"), .equal, .value("x")))
    let quantifier: Filter.Quantifier? = .all
    #expect(
      Filter(.path("tags.name"), .equal, .value("x"), quantifier: quantifier)
        == Filter(.path("tags.name"), .equal, .value("x"), quantifier: .all))
  }

  @Test func `equality looks at bytes of strings and not at places`() throws {
    #expect(try Filter(parsing: "a == 1") == Filter(parsing: "  a  ==  1"))
    #expect(try Filter(parsing: "a == '\u{e9}'") != Filter(parsing: "a == 'e\u{301}'"))
    #expect(try Set([Filter(parsing: "a == 1"), Filter(parsing: " a = 1")]).count == 1)
  }
}
