// `import Daybook` is all that a user writes: the values that its interface speaks of come with it.
@_exported public import DaybookDiff
@_exported public import DaybookModel
@_exported public import DaybookQuery
