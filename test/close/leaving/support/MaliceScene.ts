import { Asset, type xdr } from "@stellar/stellar-sdk"
import { addressOf, addressVal, i128, struct, symbol, u32, variant } from "../../../../src/ledger/soroban/Values.ts"
import { assetContractEntries, contractEntries, dataEntries } from "../../../../src/sandbox/contracts/Deployment.ts"
import { accomplices, allowanceFor, shareKey } from "./Malice.ts"
import { type Mode, TOY_POOL_HASH } from "./ToyPool.ts"

const farAway = 2_000_000

/** The deployment or upgrade of a pool. */
export interface PoolManner {
  readonly code?: string
  readonly mode: Mode
  /** An account. */
  readonly thief: string
  readonly passphrase: string
}

const lumensOn = (passphrase: string): string => Asset.native().contractId(passphrase)

/** A pool's code and instance. */
export const poolEntries = (pool: string, { code = TOY_POOL_HASH, mode, passphrase, thief }: PoolManner): ReadonlyArray<xdr.LedgerEntry> =>
  contractEntries(
    addressOf(pool),
    code,
    [
      [symbol("Lumens"), addressVal(addressOf(lumensOn(passphrase)))],
      [symbol("Mode"), symbol(mode)],
      [symbol("Thief"), addressVal(addressOf(thief))]
    ],
    farAway
  )

const allowanceEntries = (token: string, from: string, spender: string): ReadonlyArray<xdr.LedgerEntry> =>
  dataEntries(
    addressOf(token),
    [
      variant("Allowance", struct({ from: addressVal(addressOf(from)), spender: addressVal(addressOf(spender)) })),
      struct({ amount: i128(10_0000000n), live_until_ledger: u32(farAway) })
    ],
    "temporary",
    farAway
  )

/** The entries that a malicious pool relies on: helpers, shares of the account, and an earlier allowance. */
export const maliceEntries = (
  pool: string,
  user: string,
  token: string,
  { mode, passphrase, thief }: PoolManner
): ReadonlyArray<xdr.LedgerEntry> => {
  const allowed = allowanceFor(mode)
  return [
    ...assetContractEntries(Asset.native().toXdrObject(), passphrase, farAway),
    ...accomplices.flatMap((one) => poolEntries(one, { mode: "honest", passphrase, thief })),
    ...(mode === "robs" ? dataEntries(addressOf(pool), [shareKey(addressOf(user)), i128(100_0000000n)], "persistent", farAway) : []),
    ...(allowed === null ? [] : allowanceEntries(allowed === "token" ? token : lumensOn(passphrase), user, pool))
  ]
}
