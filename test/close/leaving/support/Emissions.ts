import { Asset, type Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../../src/ledger/Asset.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { allowanceKey } from "../../../../src/ledger/soroban/AssetAllowance.ts"
import { balanceKey } from "../../../../src/ledger/soroban/AssetBalance.ts"
import { addressOf, asI128, bool, field, i128, struct, u32, vec } from "../../../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { backstopEmissionKey, userBackstopEmissionKey } from "../../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { asEmissionData, emissionDataVal } from "../../../../src/sandbox/contracts/lend1/PoolEmissions.ts"
import {
  emissionDataKey,
  reserveConfigKey,
  reserveDataKey,
  reserveListKey,
  userEmissionKey
} from "../../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { oracleStorage, priceOracleHash } from "../../../../src/sandbox/contracts/lend1/PriceOracle.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { submitRequests } from "../../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { keyOfContractData } from "../../../../src/xdr/LedgerKeys.ts"
import { LendingBackstop } from "../../../support/scenarios/LendingBackstop.ts"
import { LendingDebtToBuy } from "../../../support/scenarios/LendingDebtToBuy.ts"
import { emissionsFor } from "../../../support/scenarios/LendingEmissions.ts"
import { LendingSupply } from "../../../support/scenarios/LendingSupply.ts"
import { pays } from "./Paying.ts"

const { backstop, oracle, pool } = lendingContracts
const FAR = 70_000_000

/** The value of a contract's entry on a ledger; null: none. */
export const keptIn = (state: LedgerState, contract: xdr.ScAddress, key: xdr.ScVal): xdr.ScVal | null => {
  const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
  return data?.type === "contractData" ? data.contractData.val : null
}

const ids = [0, 1, 2, 3, 4, 5]

/** Sets every emission of the pool and the backstop to thousandths of a week's 20,000 and 50,000 BLND, and funds it. */
const atRate = (thousandths: bigint, token: xdr.ScAddress) => (state: LedgerState): LedgerState => {
  const slower = (contract: xdr.ScAddress, key: xdr.ScVal) => {
    const value = keptIn(state, contract, key)
    if (value === null) return []
    const data = asEmissionData(value)
    return dataEntries(contract, [key, emissionDataVal({ ...data, eps: (data.eps * thousandths) / 1_000n })], "persistent", FAR)
  }
  const [enough, until] = [i128(10n ** 17n), state.header.ledgerSeq + 1_000_000]
  return state.set([
    ...ids.flatMap((id) => slower(pool, emissionDataKey(id))),
    ...slower(backstop, backstopEmissionKey(pool)),
    ...dataEntries(
      token,
      [balanceKey(backstop), struct({ amount: enough, authorized: bool(true), clawback: bool(false) })],
      "persistent",
      FAR
    ),
    ...dataEntries(token, [allowanceKey(backstop, pool), struct({ amount: enough, live_until_ledger: u32(until) })], "temporary", until)
  ])
}

/** This many days of emissions at a rate, and a ledger after them. */
const emitting = (
  { assets, blnd }: Pick<Effect.Effect.Success<typeof LendingNewcomer>, "assets" | "blnd">,
  thousandths: bigint,
  days = 2
) =>
  Effect.gen(function*() {
    const network = yield* Network
    yield* emissionsFor(days, assets)
    yield* network.amend(atRate(thousandths, addressOf(blnd.contractId(network.passphrase))))
    yield* network.closeLedger({ advanceSeconds: 5 })
  })

/** An account that lends 200 USDC. */
export const Lends = (thousandths: bigint) => Effect.tap(LendingSupply, (scene) => emitting(scene, thousandths))

/** The same, with no rewards yet apart from those that accrue from now on. */
export const LendsSinceNow = (thousandths: bigint) => Effect.tap(LendingSupply, (scene) => emitting(scene, thousandths, 0))

/** The pool lends BLND in place of EURC. */
const lendingBlnd =
  ({ assets: { reserves }, blnd, eurc }: Effect.Effect.Success<typeof LendingNewcomer>, passphrase: string) =>
  (state: LedgerState): LedgerState => {
    const token = (asset: Asset) => addressOf(asset.contractId(passphrase))
    const tokens = reserves.map((asset) => token(asset.equals(eurc) ? blnd : asset))
    const moved = (key: (token: xdr.ScAddress) => xdr.ScVal) =>
      dataEntries(pool, [key(token(blnd)), keptIn(state, pool, key(token(eurc))) ?? xdr.ScVal.scvVoid()], "persistent", FAR)
    const balance = keptIn(state, token(eurc), balanceKey(pool)) ?? xdr.ScVal.scvVoid()
    return state.set([
      ...dataEntries(pool, [reserveListKey, vec(...tokens.map((one) => xdr.ScVal.scvAddress(one)))], "persistent", FAR),
      ...moved(reserveConfigKey),
      ...moved(reserveDataKey),
      ...dataEntries(token(blnd), [balanceKey(pool), balance], "persistent", FAR),
      ...contractEntries(oracle, priceOracleHash, oracleStorage(tokens, 7), FAR)
    ])
  }

/** An account that owes 50 BLND, has spent them, and has earned more than that. */
export const OwesRewards = (thousandths: bigint) =>
  Effect.gen(function*() {
    const scene = yield* LendingNewcomer
    const { blnd, lender, native, source } = scene
    const network = yield* Network
    yield* network.amend(lendingBlnd(scene, network.passphrase))
    yield* perform("the account trusts BLND", { as: source, operations: [Operation.changeTrust({ asset: blnd })] })
    yield* submitRequests("the account borrows", source, ["supplyCollateral", native, 2_000n * lumen], ["borrow", blnd, 50n * lumen])
    yield* pays(source, lender, blnd, "50")
    yield* emitting(scene, thousandths)
    return scene
  })

const spare = (state: LedgerState, account: Keypair): bigint => {
  const data = state.get(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: account.xdrPublicKey() })))?.data
  return data?.type === "account" ? data.account.balance - 6_0000000n : 0n
}

/** An account that owes 50 EURC and can buy them only with its rewards: a stranger sells them for BLND, and its lumens are gone. */
export const SpendsRewards = (thousandths: bigint) =>
  Effect.gen(function*() {
    const scene = yield* LendingDebtToBuy
    const { blnd, eurc, lender, source } = scene
    yield* perform("the lender sells EURC for BLND", {
      as: lender,
      operations: [Operation.manageSellOffer({ selling: eurc, buying: blnd, amount: "1000", price: "1" })]
    })
    const { snapshot } = yield* Network
    const amount = spare((yield* snapshot).state, source)
    yield* pays(source, lender, Asset.native(), `${amount / lumen}.${String(amount % lumen).padStart(7, "0")}`)
    yield* emitting(scene, thousandths)
    return scene
  })

/** An account with a deposit in the backstop. */
export const Backs = (thousandths: bigint) => Effect.tap(LendingBackstop, (scene) => emitting(scene, thousandths))

/** Earned but unpaid BLND of an account, as last recorded by the contracts, base units. */
export const unpaid = (state: LedgerState, account: Keypair): bigint => {
  const user = addressOf(account.publicKey())
  const noted = [
    ...ids.map((id) => keptIn(state, pool, userEmissionKey(user, id))),
    keptIn(state, backstop, userBackstopEmissionKey(pool, user))
  ]
  return noted.reduce((sum, value) => sum + (value === null ? 0n : asI128(field(value, "accrued"))), 0n)
}
