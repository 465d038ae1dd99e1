import { type Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { showAmount } from "../../src/domain/Amount.ts"
import { lumen } from "../../src/ledger/Asset.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { submitRequests } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { takeStakes } from "../../src/sandbox/scenarios/StakedPools.ts"
import { openVault } from "../../src/sandbox/scenarios/VaultsMarket.ts"
import type { Dice } from "../client/support/Dice.ts"
import { heldInPools } from "../deep/support/positions/PoolsHeld.ts"
import { heldBy } from "../deep/support/positions/PositionsHeld.ts"
import type { Markets } from "./Markets.ts"

/** An account in protocols that Stage.ts does not cover, and its remaining holdings in them. */
export interface Participant {
  readonly source: Keypair
  readonly destination: Keypair
  /** Remaining base units by kind; empty where all was taken out. */
  readonly leftIn: (state: LedgerState) => ReadonlyArray<string>
}

const trust = (source: Keypair, ...assets: ReadonlyArray<Asset>) =>
  perform("the account trusts assets", { as: source, operations: assets.map((asset) => Operation.changeTrust({ asset })) })

const pay = (issuer: Keypair, source: Keypair, asset: Asset, units: bigint) =>
  perform("the account is paid", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset, amount: showAmount(units) })]
  })

const newAccount = Effect.gen(function*() {
  const [source, destination] = [Keypair.random(), Keypair.random()]
  yield* fund("20000", source)
  yield* fund("100", destination)
  return { source, destination }
})

const named = (amounts: Readonly<Record<string, bigint>>): ReadonlyArray<string> =>
  Object.entries(amounts).flatMap(([what, amount]) => (amount === 0n ? [] : [`${amount} ${what}`]))

/**
 * Lends USDC, borrows EURC against lumens, and owes to a vault; it holds more than it owes. `number`: a place of its own for each vault.
 */
export const borrower = Effect.fnUntraced(function*({ lending, vaults }: Markets, passphrase: string, dice: Dice, number: number) {
  const { eurc, issuer, native, usdc } = lending
  const { destination, source } = yield* newAccount
  const [lent, owed] = [BigInt(20 + dice.below(300)) * lumen, BigInt(5 + dice.below(60)) * lumen]
  yield* trust(source, usdc, eurc)
  yield* pay(issuer, source, usdc, lent)
  yield* submitRequests("the account lends", source, ["supply", usdc, lent])
  if (dice.chance(0.6)) {
    yield* submitRequests("the account borrows", source, ["supplyCollateral", native, 50n * owed], ["borrow", eurc, owed])
    yield* pay(issuer, source, eurc, owed / 10n + lumen)
  }
  if (dice.chance(0.6)) {
    yield* trust(source, vaults.usd)
    yield* openVault("the account opens a vault", { owner: source, denomination: "USD", collateral: 3_600n + BigInt(number), debt: 120n })
    yield* pay(vaults.issuer, source, vaults.usd, 2n * lumen)
  }
  const leftIn = (state: LedgerState) => {
    const { cometShares, deposited, lent, locked, owed } = heldBy(state, source, { native, usdc, eurc }, passphrase)
    const of = (amounts: Readonly<Record<string, bigint>>) => Object.values(amounts).reduce((sum, one) => sum + one, 0n)
    return named({ owed: of(owed), lent: of(lent), locked, "backstop shares": deposited + cometShares })
  }
  return { source, destination, leftIn } satisfies Participant
})

/** Has shares and stakes of pools with due rewards. A network has room for one: its stakes are written directly, not bonded. */
export const staker = Effect.fnUntraced(function*({ staked }: Markets, passphrase: string) {
  const { destination, source } = yield* newAccount
  yield* takeStakes(staked, source, { pools: [staked.five, staked.six, staked.stable], trusts: ({ pho, usdc }) => [usdc, pho] })
  const leftIn = (state: LedgerState) =>
    heldInPools(state, source, { amm1: null, amm2: null, amm3: staked }, passphrase)
      .filter(({ what }) => what !== "rewards")
      .flatMap(({ amount, contract, what }) => named({ [`${what} of ${contract}`]: amount }))
  return { source, destination, leftIn } satisfies Participant
})
