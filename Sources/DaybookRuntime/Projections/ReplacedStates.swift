/// The rows of a scope before and after rebuilt rows of a projection replace its rows, at one position.
struct ReplacedStates {
  let old: ScopedState
  let oldStamp: ScopeStamp
  let new: ScopedState
  let newStamp: ScopeStamp
}
