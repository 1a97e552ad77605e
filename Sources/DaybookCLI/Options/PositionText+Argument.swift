#if Command

import ArgumentParser
import DaybookTools

extension PositionText: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

#endif
