#if Command

import ArgumentParser
import Daybook

extension StoreVerification.Expectation: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

#endif
