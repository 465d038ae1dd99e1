import { Address, Asset, StrKey, xdr } from "@stellar/stellar-sdk/base"
import { Effect, Schema } from "effect"
import { Amount } from "../domain/Amount.ts"
import { hex } from "./Envelope.ts"
import { entriesAt, resourceOrNull, resultOf, unavailable, type Witnessed, type WitnessUrls } from "./WitnessSource.ts"

/** An issued asset. */
interface NamedAsset {
  readonly code: string
  readonly issuer: string
}

/** An account's own entry, with the trustlines that were named. */
export interface WitnessedAccount {
  readonly sequence: bigint
  readonly balanceStroops: bigint
  readonly subEntries: number
  /** Balances of trustlines in base units, by the id of the asset's decision (`asset:CODE-ISSUER`). */
  readonly lines: ReadonlyMap<string, bigint>
}

const idOf = ({ code, issuer }: NamedAsset): string => `asset:${code}-${issuer}`

const publicKeyOf = (address: string) => xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address))

const keyOf = (address: string): string =>
  xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: publicKeyOf(address) })).toXdr("base64")

const lineKeyOf = (address: string, { code, issuer }: NamedAsset): string =>
  xdr.LedgerKey.trustline(
    new xdr.LedgerKeyTrustLine({ accountId: publicKeyOf(address), asset: new Asset(code, issuer).toTrustLineXdrObject() })
  ).toXdr("base64")

const isPossible = ({ code, issuer }: NamedAsset): boolean => /^[A-Za-z0-9]{1,12}$/.test(code) && StrKey.isValidEd25519PublicKey(issuer)

const instanceKeyOf = (contract: string): string =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: Address.fromString(contract).toScAddress(),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent
    })
  ).toXdr("base64")

/** What contracts run, by contract; of one that is missing here the contract RPC knows nothing. */
const executablesAt = (
  rpcUrl: string,
  contracts: ReadonlyArray<string>
): Witnessed<ReadonlyMap<string, xdr.ContractExecutable>> =>
  Effect.map(
    entriesAt(rpcUrl, contracts.map(instanceKeyOf)),
    (entries) =>
      new Map([...entries.values()].flatMap((data) => {
        if (data.type !== "contractData" || data.contractData.val.type !== "scvContractInstance") return []
        return [[Address.fromScAddress(data.contractData.contract).toString(), data.contractData.val.instance.executable] as const]
      }))
  )

/** The code that contracts run, by contract, SHA-256 in hex; of one that is missing here the contract RPC knows none. */
export const witnessedCode = (rpcUrl: string, contracts: ReadonlyArray<string>): Witnessed<ReadonlyMap<string, string>> =>
  Effect.map(
    executablesAt(rpcUrl, contracts),
    (executables) =>
      new Map([...executables].flatMap(([contract, executable]) =>
        executable.type === "contractExecutableWasm" ? [[contract, hex(executable.wasmHash.toBytes())] as const] : []
      ))
  )

/** Those of some contracts that stand for a classic asset, by the contract RPC. */
export const witnessedAssetContracts = (rpcUrl: string, contracts: ReadonlyArray<string>): Witnessed<ReadonlyArray<string>> =>
  Effect.map(
    executablesAt(rpcUrl, contracts),
    (executables) => [...executables].flatMap(([contract, { type }]) => (type === "contractExecutableStellarAsset" ? [contract] : []))
  )

const byRpc = (url: string, source: string, named: ReadonlyArray<NamedAsset>): Witnessed<WitnessedAccount | null> => {
  const lineKeys = named.filter(isPossible).map((asset) => [idOf(asset), lineKeyOf(source, asset)] as const)
  return Effect.map(entriesAt(url, [keyOf(source), ...lineKeys.map(([, key]) => key)]), (entries) => {
    const own = entries.get(keyOf(source))
    if (own?.type !== "account") return null
    const { balance, numSubEntries, seqNum } = own.account
    const lines = lineKeys.flatMap(([id, key]) => {
      const line = entries.get(key)
      return line?.type === "trustline" ? [[id, BigInt(line.trustLine.balance)] as const] : []
    })
    return { sequence: BigInt(seqNum), balanceStroops: BigInt(balance), subEntries: numSubEntries, lines: new Map(lines) }
  })
}

const LedgerAccount = Schema.Struct({
  sequence: Schema.BigInt,
  subentry_count: Schema.Number,
  balances: Schema.Array(Schema.Struct({
    asset_type: Schema.String,
    asset_code: Schema.optional(Schema.String),
    asset_issuer: Schema.optional(Schema.String),
    balance: Amount
  }))
})

const byLedgerApi = (url: string, source: string): Witnessed<WitnessedAccount | null> =>
  Effect.flatMap(resourceOrNull(url, `/accounts/${source}`, LedgerAccount), (account): Witnessed<WitnessedAccount | null> => {
    if (account === null) return Effect.succeed(null)
    const lumens = account.balances.find(({ asset_type }) => asset_type === "native")
    if (lumens === undefined) return unavailable(url)("its account has no balance of lumens")
    const lines = account.balances.flatMap(({ asset_code: code, asset_issuer: issuer, balance }) =>
      code === undefined || issuer === undefined ? [] : [[idOf({ code, issuer }), balance] as const]
    )
    return Effect.succeed({
      sequence: account.sequence,
      balanceStroops: lumens.balance,
      subEntries: account.subentry_count,
      lines: new Map(lines)
    })
  })

/** The account's own entry by the witness; null: it is gone. A contract RPC reads the named trustlines, a ledger API all of them. */
export const witnessedAccount = (
  { ledgerApiUrl, rpcUrl }: WitnessUrls,
  source: string,
  named: ReadonlyArray<NamedAsset> = []
): Witnessed<WitnessedAccount | null> => {
  if (rpcUrl !== undefined) return byRpc(rpcUrl, source, named)
  if (ledgerApiUrl !== undefined) return byLedgerApi(ledgerApiUrl, source)
  return unavailable("")("it names neither rpcUrl nor ledgerApiUrl")
}

/** A transaction in a ledger, as a contract RPC tells it. */
export interface LedgerTransaction {
  readonly envelopeXdr: string
  readonly resultXdr: string
  /** Events of its operations, in order. */
  readonly events: ReadonlyArray<string>
}

const FoundTransaction = Schema.Struct({
  status: Schema.String,
  envelopeXdr: Schema.optional(Schema.String),
  resultXdr: Schema.optional(Schema.String),
  events: Schema.optional(Schema.Struct({ contractEventsXdr: Schema.optional(Schema.Array(Schema.Array(Schema.String))) }))
})

const transactionAt = (rpcUrl: string, hash: string) => resultOf(rpcUrl, "getTransaction", { hash }, FoundTransaction)

/** Whether a contract RPC shows that a transaction is in a ledger and failed there. */
export const hasFailed = (rpcUrl: string, hash: string): Witnessed<boolean> =>
  Effect.map(transactionAt(rpcUrl, hash), ({ status }) => status === "FAILED")

/** A transaction by its hash; it fails while the contract RPC has no ledger with it. */
export const witnessedTransaction = (rpcUrl: string, hash: string): Witnessed<LedgerTransaction> =>
  Effect.flatMap(
    transactionAt(rpcUrl, hash),
    ({ envelopeXdr, events, resultXdr, status }) =>
      status !== "SUCCESS" || envelopeXdr === undefined || resultXdr === undefined
        ? unavailable(rpcUrl)(`it says ${status} of ${hash}`)
        : Effect.succeed({ envelopeXdr, resultXdr, events: (events?.contractEventsXdr ?? []).flat() })
  )
