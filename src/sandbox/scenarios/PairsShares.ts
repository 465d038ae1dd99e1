import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { addLiquidity } from "./PairsMarket.ts"
import { PairsNewcomer } from "./PairsNewcomer.ts"

type Newcomer = Effect.Effect.Success<typeof PairsNewcomer>

/** Has an account provide 1,000 lumens and USDC, and USDC and EURC. */
export const provideAssets = Effect.fnUntraced(function*({ source, tokens }: Pick<Newcomer, "source" | "tokens">) {
  const { eurc, lumens, usdc } = tokens
  yield* addLiquidity("the account provides lumens and USDC", source, { token: lumens, amount: 1_000n * lumen }, {
    token: usdc,
    amount: 101n * lumen
  })
  yield* addLiquidity("the account provides USDC and EURC", source, { token: usdc, amount: 333n * lumen }, {
    token: eurc,
    amount: 333n * lumen
  })
})

/** Has an account put all its plain tokens into their pair with USDC. */
export const providePlain = ({ source, tokens }: Pick<Newcomer, "source" | "tokens">) =>
  addLiquidity("the account provides plain tokens and USDC", source, { token: tokens.plain, amount: 100_000_000n }, {
    token: tokens.usdc,
    amount: 500n * lumen
  })

/** An account that provides in pairs of every kind: of lumens, of two issued assets, and of a token that is no asset of the ledger. */
export const PairsShares = Effect.gen(function*() {
  const scene = yield* PairsNewcomer
  yield* provideAssets(scene)
  yield* providePlain(scene)
  return scene
})
