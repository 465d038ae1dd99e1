import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"

/**
 * Views of ledger states, by what they are asked for. A state never changes and many ask the same of it, so a view is made when it is
 * first asked for, and lives as long as its state.
 */
export const stateViews = <Query, View>(): (state: LedgerState, query: Query, make: () => View) => View => {
  const viewsOf = objectMemo((_state: LedgerState) => new Map<Query, View>())
  return (state, query, make) => {
    const views = viewsOf(state)
    const known = views.get(query)
    if (known !== undefined) return known
    const view = make()
    views.set(query, view)
    return view
  }
}
