import { Asset, Claimant, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { asI128, asU128, asVec, strkeyOf, u128, u32 } from "../../../../src/ledger/soroban/Values.ts"
import { accountVal, callContract } from "../../../../src/sandbox/scenarios/CallContract.ts"
import { swapInPair } from "../../../../src/sandbox/scenarios/PairsMarket.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { turnToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import type { Offered } from "../../../close/support/Client.ts"
import { giveNewPair, giveShares, giveToken, type Stage } from "./Stage.ts"
import type { Gift } from "./Story.ts"

const UNIT = 10_000_000n

/** A stranger gives the account of a stage a holding. */
export const give = (stage: Stage, gift: Gift) => {
  switch (gift) {
    case "nothing":
      return Effect.void
    case "a unit of the owner's shares":
      return giveShares(stage, 1n)
    case "shares of a new pair":
      return giveNewPair(stage)
    case "a new token":
      return giveToken(stage)
    case "a claimable balance":
      return perform("a stranger's dust, and some whose time is over", {
        as: stage.market.provider,
        operations: [undefined, Claimant.predicateBeforeAbsoluteTime("1")].map((predicate) =>
          Operation.createClaimableBalance({
            asset: Asset.native(),
            amount: "0.0000001",
            claimants: [new Claimant(stage.source.publicKey(), predicate)]
          })
        )
      })
  }
}

/** Contracts that an offered transaction calls. */
const calledBy = ({ intent: { operations } }: Offered): ReadonlyArray<string> =>
  operations.flatMap((one) => (one.type === "invoke_contract" ? [one.contract] : []))

/** Whether an offered transaction leaves a position whose price strangers can move. */
export const isExit = ({ covers }: Offered): boolean => covers.includes("EXIT_POSITIONS")

/** Moves the price of an exited pool by this many thousandths; returns the effect that moves it back. */
export const movePrice = Effect.fnUntraced(function*({ amm1, market }: Stage, offer: Offered, permille: number) {
  if (amm1 !== null && calledBy(offer).includes(strkeyOf(amm1.constantProduct))) {
    const swap = (from: number, amount: bigint) =>
      callContract("a stranger trades", {
        as: amm1.provider,
        contract: amm1.constantProduct,
        fn: "swap",
        args: [accountVal(amm1.provider), u32(from), u32(1 - from), u128(amount), u128(0n)]
      })
    const bought = asU128(yield* swap(0, 10n * BigInt(permille) * UNIT))
    return Effect.asVoid(swap(1, bought))
  }
  const { provider, tokens: { lumens, usdc } } = market
  const sold = { token: lumens, amount: 100n * BigInt(permille) * UNIT }
  const amounts = asVec(yield* swapInPair("a stranger trades", provider, sold, usdc)).map(asI128)
  return Effect.asVoid(swapInPair("a stranger trades back", provider, { token: usdc, amount: amounts.at(-1) ?? 0n }, lumens))
})

/** Makes a stranger's token stop all trade in it; returns the effect that resumes it. */
export const springTrap = (trap: string) => Effect.as(turnToken(trap, [{ _tag: "Fails", functions: ["transfer"] }]), turnToken(trap, []))
