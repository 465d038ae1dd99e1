import type { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { accountKey } from "../../../src/ledger/LedgerKey.ts"
import { Service } from "./Service.ts"

/** The account as the sandbox's ledger has it; null when it is gone. */
export const accountOf = (key: Keypair): Effect.Effect<xdr.AccountEntry | null, never, Service> =>
  Effect.flatMap(Service, ({ sandbox }) =>
    Effect.map(sandbox.snapshot, ({ state }) => {
      const found = state.get(accountKey(key.publicKey()))
      return found?.data.type === "account" ? found.data.account : null
    }))

/** Its lumens in stroops; a missing account fails the test. */
export const lumensOf = (key: Keypair): Effect.Effect<bigint, never, Service> =>
  Effect.flatMap(accountOf(key), (account) => (account === null ? Effect.dieMessage("the account is missing") : Effect.succeed(account.balance)))
