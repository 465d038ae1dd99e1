import { Effect } from "effect"
import { addLiquidity } from "./PairsMarket.ts"
import { PairsNewcomer } from "./PairsNewcomer.ts"

const STROOPS = 10_000_000n

/** An account that provides lumens and USDC, and USDC and EURC; all its plain tokens are in their pair with USDC. */
export const PairsShares = Effect.gen(function*() {
  const scene = yield* PairsNewcomer
  const { source, tokens: { eurc, lumens, plain, usdc } } = scene
  yield* addLiquidity("the account provides lumens and USDC", source, { token: lumens, amount: 1_000n * STROOPS }, {
    token: usdc,
    amount: 101n * STROOPS
  })
  yield* addLiquidity("the account provides USDC and EURC", source, { token: usdc, amount: 333n * STROOPS }, {
    token: eurc,
    amount: 333n * STROOPS
  })
  yield* addLiquidity("the account provides plain tokens and USDC", source, { token: plain, amount: 100_000_000n }, {
    token: usdc,
    amount: 500n * STROOPS
  })
  return scene
})
