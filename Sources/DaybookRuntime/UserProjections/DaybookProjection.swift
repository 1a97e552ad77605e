/// A projection that Daybook itself declares.
///
/// The names of its entities begin with `@`, which a projection of a program cannot use. Its rows follow from the commits and
/// the names in the models alone: it reads neither ``AppliedCommit/before`` nor ``AppliedCommit/after``, so a catch-up does not fold
/// the stored objects for it.
package protocol DaybookProjection: Projection {}
