#if Macros

import DaybookMacros

// The projections of the article about projections, with structs.

extension Guide {
  @Index("month", "servings:desc")
  @Entity struct CookedMonth: Hashable {
    @Key var recipe: Recipe.ID
    @Key var month: String
    var times = 0
    var servings = 0
    var last: Timestamp?
  }

  struct CookedMonths: Projection {
    let name = "cooked-months"
    let version = 1
    let entities: [DerivedEntity] = [.init(CookedMonth.self)]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for cooked in try commit.recorded(RecipeCooked.self) {
        try rows.update(CookedMonth.key(recipe: cooked.about, month: commit.time.month)) {
          $0.times += 1
          $0.servings += cooked.servings
          $0.last = commit.time
        }
      }
    }
  }

  @Entity struct Favourite: Hashable {
    @Key var month: String
    var row: CookedMonth.ID?
  }

  struct Favourites: Projection {
    let name = "favourites"
    let version = 1
    let reads = ["cooked-months"]
    let entities: [DerivedEntity] = [.init(Favourite.self)]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.inserted(CookedMonth.self) + commit.changed(CookedMonth.self) {
        let month = try commit.after.require(id).month
        let most = CookedMonth.where { $0.month == month }.sorted(by: \.servings, .descending).limited(to: 1)
        let first = try commit.after.fetch(most).rows.first?.id
        try rows.update(Favourite.key(month: month)) { $0.row = first }
      }
    }
  }
}

#endif
