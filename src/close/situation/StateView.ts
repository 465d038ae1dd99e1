import { objectMemo } from "../../fibers/ObjectMemo.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"

/**
 * A memo of views of ledger states, by query. A state never changes, so a view is made once and lives as long as its state.
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
