import type { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { Network } from "../Network.ts"

/** Ledgers for which what is put there lives. */
const life = 1_000_000

/** A contract as its deployment leaves it. */
export interface NewContract {
  /** C strkey. */
  readonly address: string
  /** SHA-256 of its code, hex: a model must be registered for it. */
  readonly wasmHash: string
  /** Instance storage. */
  readonly instance?: ReadonlyArray<readonly [key: xdr.ScVal, value: xdr.ScVal]>
  /** Entries of their own. */
  readonly persistent?: ReadonlyArray<readonly [key: xdr.ScVal, value: xdr.ScVal]>
}

/** Puts a contract on the network in a ledger of its own, without a transaction. */
export const putContract = ({ address, instance = [], persistent = [], wasmHash }: NewContract) =>
  Effect.flatMap(Network, ({ amend }) =>
    amend((state) => {
      const [contract, until] = [addressOf(address), state.header.ledgerSeq + life]
      return state.set([
        ...contractEntries(contract, wasmHash, instance, until),
        ...persistent.flatMap((entry) => dataEntries(contract, entry, "persistent", until))
      ])
    }))
