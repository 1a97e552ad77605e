#if JetStream

import Daybook
import DaybookJetStream

/// The code of the article about journals on several machines.
///
/// `ArticleTests` compares it with the article. It is compiled and not run, because its servers do not exist; the other tests make the
/// same calls on servers of their own.
enum ArticleCode {
  static func options() throws -> StoreOptions {
    var options = StoreOptions()
    options.journal = .jetStream(
      try JournalAddress(parsing: "nats://one.example,two.example,three.example/kitchen"))
    return options
  }

  static func firstNode(model: Model, options: StoreOptions) throws -> Store {
    let store = try Replication.create(at: "kitchen.daybook", model: model, serverCount: 3, options: options)
    return store
  }

  static func anotherNode(options: StoreOptions) throws -> Store {
    let other = try Replication.join(at: "kitchen.daybook", options: options)
    return other
  }

  static func laterOn(options: StoreOptions) throws -> Store {
    let store = try Store(at: "kitchen.daybook", options: options)
    return store
  }
}

#endif
