import { Account, Asset, Keypair, Operation, SorobanDataBuilder, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { pagingToken } from "../../../src/chain/ledger-api/PagingToken.ts"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { addressOf, addressVal, contractAddress, variant } from "../../../src/ledger/soroban/Values.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { type Body, withHistory } from "./Lies.ts"
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

/** Keys of what an account would have in pools that do not exist, others for each name. */
const positionKeys = (address: string, name: string, count: number): Array<xdr.LedgerKey> => {
  const positions = variant("Positions", addressVal(addressOf(address)))
  return Array.from({ length: count }, (_, at) => {
    const contract = contractAddress(new xdr.ContractId(sha256(Buffer.from(`${name} ${at}`))))
    return keyOfContractData(contract, positions, "persistent")
  })
}

/** A stranger's call that declares to read or to write these keys. */
const callBy = (stranger: string, keys: Array<xdr.LedgerKey>, access: "read" | "write"): string =>
  new TransactionBuilder(new Account(stranger, "0"), { fee: "100", networkPassphrase: "only its envelope is read" })
    .addOperation(Operation.extendFootprintTtl({ extendTo: 1 }))
    .setSorobanData((access === "read" ? new SorobanDataBuilder().setReadOnly(keys) : new SorobanDataBuilder().setReadWrite(keys)).build())
    .setTimeout(0)
    .build()
    .toEnvelope()
    .toXdr("base64")

/** Transactions of strangers: how many, and how many contracts each names by keys of the account's positions there. */
export interface Crowd {
  readonly records: number
  readonly contracts: number
  readonly access: "read" | "write"
}

/** Shows such transactions of a ledger before the account's own ones. */
export const crowdedBy = (address: string, ledger: number, { access, contracts, records }: Crowd): Lie => {
  const stranger = Keypair.random().publicKey()
  const crowd = Array.from({ length: records }, (_, at): Body => ({
    ledger,
    source_account: stranger,
    source_account_sequence: "1",
    successful: true,
    paging_token: (pagingToken(ledger, 1_000_000) - BigInt(at)).toString(),
    envelope_xdr: callBy(stranger, positionKeys(address, `${access} ${at}`, contracts), access),
    result_xdr: ""
  }))
  return withHistory(address, (honest, asked) => asked.has("cursor") ? honest : [...crowd, ...honest].slice(0, 200))
}
