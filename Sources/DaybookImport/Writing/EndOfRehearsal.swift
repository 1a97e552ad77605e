#if Import

/// The end of an import whose commits are not wanted: they are made, so that every rule is checked, and thrown away.
struct EndOfRehearsal: Error {}

#endif
