#if JetStream

import Daybook
import DaybookJetStream
import Testing

/// Makes JetStream known to the whole process before its first test runs: all traits are made when tests are listed.
///
/// So the tests of other targets, which share the process, can keep their journals there too; see `TestJournal`.
struct RegistersJetStream: SuiteTrait {
  fileprivate init() {
    ReplicatedJournal.makeKnown(.jetStream())
  }
}

extension Trait where Self == RegistersJetStream {
  static var registersJetStream: Self { RegistersJetStream() }
}

#endif
