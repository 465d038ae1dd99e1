import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../ledger/soroban/Values.ts"
import { PairsMarket, transferToken } from "./PairsMarket.ts"
import { fund, perform } from "./Scenario.ts"

/** A market of pairs. */
export type PairsScene = Effect.Effect.Success<typeof PairsMarket>

/** Gives an account 1,000 USDC, 1,000 EURC and 100 plain tokens of a market. */
export const equip = Effect.fnUntraced(function*({ eurc, issuer, provider, tokens, usdc }: PairsScene, source: Keypair) {
  yield* perform("the account trusts the assets", {
    as: source,
    operations: [usdc, eurc].map((asset) => Operation.changeTrust({ asset }))
  })
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [usdc, eurc].map((asset) => Operation.payment({ destination: source.publicKey(), asset, amount: "1000" }))
  })
  const plain = { token: tokens.plain, amount: 100_000_000n }
  yield* transferToken("the account is given plain tokens", provider, plain, addressOf(source.publicKey()))
})

/** An account of 5,000 lumens with all that beside a market, and a destination. */
export const newcomerTo = Effect.fnUntraced(function*<Market extends PairsScene>(market: Market) {
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("5000", source, destination)
  yield* equip(market, source)
  return { ...market, source, destination }
})

/** A market of pairs with such an account. */
export const PairsNewcomer = Effect.flatMap(PairsMarket, newcomerTo)
