import type { LedgerState } from "../../ledger/LedgerState.ts"

/**
 * Views of ledger states, by what they are asked for. A state never changes and many ask the same of it, so a view is made when it is
 * first asked for, and lives as long as its state.
 */
export const stateViews = <Query, View>(): (state: LedgerState, query: Query, make: () => View) => View => {
  const views = new WeakMap<LedgerState, Map<Query, View>>()
  return (state, query, make) => {
    const known = views.get(state) ?? new Map<Query, View>()
    const seen = known.get(query)
    if (seen !== undefined) return seen
    const view = make()
    views.set(state, known.set(query, view))
    return view
  }
}
