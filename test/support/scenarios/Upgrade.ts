import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { withUpgrade } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"

/** Lifetime of the new code in ledgers. */
const life = 1_000_000

/** Upgrades a contract to code of a hash (hex): the model of that hash runs from then on, if there is one. */
export const upgraded = Effect.fnUntraced(function*(contract: xdr.ScAddress, wasmHash: string) {
  const { amend } = yield* Network
  yield* amend((state) => withUpgrade(state, contract, wasmHash, state.header.ledgerSeq + life))
})
