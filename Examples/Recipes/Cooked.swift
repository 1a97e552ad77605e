import DaybookMacros

/// A recipe was cooked. The day is one of the person's calendar, and is stored as its beginning in UTC.
@Event struct Cooked {
  var about: Recipe.ID
  var day: Timestamp
}

/// A recipe was not cooked on a day after all: takes back one ``Cooked``, which the journal keeps.
@Event struct NotCooked {
  var about: Recipe.ID
  var day: Timestamp
}

/// A month in which a recipe was cooked. It stays when the recipe is deleted.
@Index("month:desc", "times:desc", "name")
@Entity struct CookedMonth {
  @Key var recipe: Recipe.ID
  @Key var month: String
  /// The name of the recipe, which outlasts it.
  @Name @Attribute(order: .natural) var name = ""
  var days: Related<CookedDay>
  @Derived(sum: \CookedMonth.days, of: \CookedDay.times) var times: Int
  @Derived(maximum: \CookedMonth.days, of: \CookedDay.day) var last: Timestamp?
}

/// A day on which a recipe was cooked.
@Entity struct CookedDay {
  @Key var recipe: Recipe.ID
  @Key var day: Timestamp
  var times = 0
  @Relationship(inverse: \CookedMonth.days) var month: CookedMonth.ID?
}

/// Counts how often each recipe was cooked by day and month, inline: a list of them moves with the event.
struct CookedMonths: Projection {
  let name = "cooked"
  let version = 1
  let mode = ProjectionMode.inline
  let entities: [DerivedEntity] = [.init(CookedMonth.self), .init(CookedDay.self)]

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for cooked in try commit.recorded(Cooked.self) {
      let month = CookedMonth.key(recipe: cooked.about, month: cooked.day.month)
      try rows.update(month) { $0.name = try commit.after.get(cooked.about)?.name ?? $0.name }
      try rows.update(CookedDay.key(recipe: cooked.about, day: cooked.day)) {
        $0.times += 1
        $0.month = try rows.id(of: month)
      }
    }
    for taken in try commit.recorded(NotCooked.self) { try takeBack(taken, in: rows) }
    for id in commit.changed(Recipe.self) { try rename(id, to: commit.after.require(id).name, in: rows) }
  }

  private func takeBack(_ taken: NotCooked, in rows: borrowing DerivedRows) throws {
    let key = CookedDay.key(recipe: taken.about, day: taken.day)
    guard let day = try rows.get(key) else { return }
    if day.times > 1 { return try rows.update(key) { $0.times -= 1 } }
    try rows.delete(key)
    let month = CookedMonth.key(recipe: taken.about, month: taken.day.month)
    if try rows.get(month)?.times == 0 { try rows.delete(month) }
  }

  private func rename(_ recipe: Recipe.ID, to name: String, in rows: borrowing DerivedRows) throws {
    for month in try rows.fetch(CookedMonth.where { $0.recipe == recipe && $0.name != name }).rows {
      try rows.update(CookedMonth.key(recipe: recipe, month: month.month)) { $0.name = name }
    }
  }
}
