import { Account, Asset, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { pagingToken } from "../../../src/chain/ledger-api/PagingToken.ts"
import type { Body } from "./Lies.ts"
import type { Lie } from "./LyingSources.ts"

/** A stranger's payment of one stroop. */
const paymentBy = (stranger: string, destination: string): string =>
  new TransactionBuilder(new Account(stranger, "0"), { fee: "100", networkPassphrase: "only its envelope is read" })
    .addOperation(Operation.payment({ destination, asset: Asset.native(), amount: "0.0000001" }))
    .setTimeout(0)
    .build()
    .toEnvelope()
    .toXdr("base64")

/**
 * Shows 200 transactions of strangers in a ledger on each page of an account's history, before the account's own ones.
 *
 * @param asked the cursor of each such page
 */
export const buriedUnder = (address: string, ledger: number, asked: Array<string> = []): Lie => {
  const stranger = Keypair.random().publicKey()
  const envelope = paymentBy(stranger, address)
  return (path, honest) => {
    const { pathname, searchParams } = new URL(path, "http://api.invalid")
    if (pathname !== `/accounts/${address}/transactions` || searchParams.get("order") !== "desc") return honest
    const cursor = searchParams.get("cursor")
    asked.push(cursor ?? "")
    const before = cursor === null ? pagingToken(ledger, 1_000_000) : BigInt(cursor)
    const record: Body = { ledger, source_account: stranger, source_account_sequence: "1", successful: true }
    const records = Array.from({ length: 200 }, (_, at) => ({
      ...record,
      paging_token: (before - BigInt(at + 1)).toString(),
      envelope_xdr: envelope,
      result_xdr: ""
    }))
    return { status: 200, body: { _embedded: { records } } }
  }
}
