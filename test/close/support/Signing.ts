import { FeeBumpTransaction, type Keypair, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { signWith as signedBy } from "../../../src/sandbox/scenarios/Signing.ts"
import type { Offered } from "./Client.ts"
import { Service } from "./Service.ts"

/** An offered transaction as the SDK reads it. */
export const decoded = ({ xdr }: Pick<Offered, "xdr">): Effect.Effect<Transaction, never, Service> =>
  Effect.map(Service, ({ passphrase }) => {
    const transaction = TransactionBuilder.fromXdr(xdr, passphrase)
    if (transaction instanceof FeeBumpTransaction) throw new Error("a fee bump was offered")
    return transaction
  })

/** The offered transaction signed by these keys, base64. */
export const signed = (offered: Pick<Offered, "xdr">, ...keys: ReadonlyArray<Keypair>): Effect.Effect<string, never, Service> =>
  Effect.map(decoded(offered), (transaction) => signedBy(transaction, keys).toXdr())
