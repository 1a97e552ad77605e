#if Command

import ArgumentParser
import Daybook

extension CommitFilter.Kind: ExpressibleByArgument {}

#endif
