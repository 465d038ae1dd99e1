import { assert } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { toTrustlineAsset } from "../../../../src/ledger/Asset.ts"
import { withFields } from "../../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../../src/ledger/entries/LedgerEntry.ts"
import { withLineLiabilities } from "../../../../src/ledger/entries/Trustline.ts"
import { int64Max } from "../../../../src/ledger/Int64.ts"
import { balanceKey } from "../../../../src/ledger/soroban/AssetBalance.ts"
import { contractFunction, type ContractModel } from "../../../../src/ledger/soroban/Contract.ts"
import type { SimulatedCall } from "../../../../src/ledger/soroban/Simulation.ts"
import { addressVal, bool, i128, strkeyOf, struct, symbol, vec } from "../../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { keyOfContractData, trustlineKey } from "../../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../../support/Bodies.ts"
import { idOf } from "../../support/World.ts"
import { ContractWorld } from "./ContractWorld.ts"
import { contractAt } from "./Entries.ts"
import { textOf } from "./HostErrors.ts"

/** A contract that holds assets and does nothing else. */
export const somewhere = contractAt(9)
export const holderVal = addressVal(somewhere)

/** Makes any call it is given: a contract that spends what it holds. */
const keeper: ContractModel = {
  functions: { run: contractFunction(["address", "symbol", "vec"], (host, [other, fn, args]) => host.call(other, fn, ...args)) }
}

/** Gives an account a trustline, counted as its sub-entry. */
export const trustLine = (
  world: ContractWorld,
  holder: Keypair,
  asset: xdr.Asset,
  line: {
    readonly balance?: bigint
    readonly limit?: bigint
    readonly flags?: number
    readonly selling?: bigint
    readonly buying?: bigint
  } = {}
): void => {
  const { balance = 0n, buying = 0n, flags = 1, limit = int64Max, selling = 0n } = line
  const entry = new xdr.TrustLineEntry({
    accountId: idOf(holder),
    asset: toTrustlineAsset(asset),
    balance,
    limit,
    flags,
    ext: xdr.TrustLineEntryExt.v0()
  })
  const liabilities = new xdr.Liabilities({ buying, selling })
  world.put(newEntry(xdr.LedgerEntryData.trustline(buying + selling === 0n ? entry : withLineLiabilities(entry, liabilities))))
  world.edit(holder, (account) => withFields(account, { numSubEntries: account.numSubEntries + 1 }))
}

export const lineOf = (world: ContractWorld, holder: Keypair, asset: xdr.Asset): xdr.TrustLineEntry => {
  const data = world.state.get(trustlineKey(holder.publicKey(), toTrustlineAsset(asset)))?.data
  return data?.type === "trustline" ? data.trustLine : assert.fail("no trustline")
}

/** A world with an asset whose issuer has these flags, its contract deployed, and a contract that holds and spends. */
export const issued = (flags = 0) => {
  const world = new ContractWorld(keeper)
  const issuer = world.account(100_000_000n, { flags })
  const asset = assetOf(issuer)
  const [alice, bob] = [world.account(), world.account()]
  return { world, issuer, asset, alice, bob, contract: world.asset(asset), vault: world.deploy(keeper) }
}

/** Arguments of the vault's `run`, which makes a call of its own. */
export const through = (contract: xdr.ScAddress, fn: string, ...args: ReadonlyArray<xdr.ScVal>): ReadonlyArray<xdr.ScVal> => [
  addressVal(contract),
  symbol(fn),
  vec(...args)
]

/** Key of the ledger entry that keeps a contract's balance. */
export const balanceEntryKey = (contract: xdr.ScAddress, holder: xdr.ScAddress): xdr.LedgerKey =>
  keyOfContractData(contract, balanceKey(holder), "persistent")

/** What the ledger keeps for a holder that is a contract. */
export interface Held {
  readonly amount: bigint
  readonly authorized?: boolean
  readonly clawback?: boolean
}

const heldVal = ({ amount, authorized = true, clawback = false }: Held): xdr.ScVal =>
  struct({ amount: i128(amount), authorized: bool(authorized), clawback: bool(clawback) })

/** Gives a contract a balance. */
export const hold = (world: ContractWorld, contract: xdr.ScAddress, holder: xdr.ScAddress, held: Held): void =>
  world.put(...dataEntries(contract, [balanceKey(holder), heldVal(held)], "persistent", world.ledgerSeq + 1_000_000))

/** The ledger keeps exactly this for a contract. */
export const assertHeld = (world: ContractWorld, contract: xdr.ScAddress, holder: xdr.ScAddress, held: Held | undefined): void =>
  assert.deepStrictEqual(
    world.valueOf(balanceEntryKey(contract, holder))?.toJson(),
    held === undefined ? undefined : heldVal(held).toJson()
  )

/** The whole text with which a simulated call of a contract fails. */
export const refusalText = (world: ContractWorld, ...call: Parameters<ContractWorld["simulate"]>): string => textOf(world.simulate(...call))

/** Addresses that have to sign a simulated call, by their strkeys. */
export const signersOf = ({ auth }: SimulatedCall): ReadonlyArray<string> =>
  auth.map(({ credentials }) =>
    credentials.type === "sorobanCredentialsAddress" ? strkeyOf(credentials.address.address) : "the source of the operation"
  )
