import type { Exit, ExitContext } from "../../../src/protocols/Exit.ts"
import type { HeldPosition } from "../../../src/protocols/HeldPosition.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { placesOf } from "../../../src/protocols/Place.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"

/** The terms of a call that is valid for 300 seconds from a view on, with half a per cent of slippage. */
export const terms = ({ closeTime }: Pick<LedgerView, "closeTime">): Pick<ExitContext, "deadline" | "maxSlippageBps"> => ({
  deadline: closeTime + 300n,
  maxSlippageBps: 50
})

/** The exit of a position in its configured place; fails where there is none. */
export const exitIn = ({ places }: Protocol, position: Pick<HeldPosition, "contract" | "key">, context: ExitContext): Exit => {
  const [place] = placesOf(places, position)
  if (place === undefined) throw new Error("no place for this position")
  return place.exit(position.key, context)
}
