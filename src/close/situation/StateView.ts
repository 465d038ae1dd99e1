import type { LedgerState } from "../../ledger/LedgerState.ts"

/**
 * Views of ledger states, by what they are asked for. A state never changes and many ask the same of it, so a view is made when it is
 * first asked for, and lives as long as its state.
 */
export const stateViews = <Asked, View>(): (state: LedgerState, asked: Asked, make: () => View) => View => {
  const views = new WeakMap<LedgerState, Map<Asked, View>>()
  return (state, asked, make) => {
    const known = views.get(state) ?? new Map<Asked, View>()
    const seen = known.get(asked)
    if (seen !== undefined) return seen
    const view = make()
    views.set(state, known.set(asked, view))
    return view
  }
}
