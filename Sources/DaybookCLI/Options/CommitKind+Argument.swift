#if Command

import ArgumentParser
import DaybookTools

extension CommitKind: ExpressibleByArgument {}

#endif
