#if Collation && Macros

import Daybook
import DaybookCollation

/// The code of the article about modelling that needs ICU. `ArticleTests` compares it with the article.
enum ArticleCode {
  static func options() -> StoreOptions {
    var options = StoreOptions()
    options.collation = .icu
    return options
  }
}

#endif
