import { xdr } from "@stellar/stellar-sdk"
import { accountOf } from "../../../src/ledger/AccountId.ts"
import { type AppliedTransaction, applyTransaction } from "../../../src/ledger/Apply.ts"
import { isIssuer, isNative, issuerOf, toTrustlineAsset } from "../../../src/ledger/Asset.ts"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { idOf, idOfEntry } from "../../../src/ledger/EntryId.ts"
import type { Header } from "../../../src/ledger/Header.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { innermost, readTransaction } from "../../../src/ledger/Transaction.ts"
import { keyOf, keyOfAccount, keyOfPool } from "../../../src/xdr/LedgerKeys.ts"
import { changeOf, entryOf, envelopeOf, keyOfXdr, type RecordedCase, resultOfXdr } from "./Recording.ts"

const soroban = new Set(["invokeHostFunction", "extendFootprintTtl", "restoreFootprint"])

const readsFlags = new Set(["allowTrust", "setTrustLineFlags", "changeTrust"])

/** The reason why a case is not replayed; undefined when it is. Every rule uses the recorded data, never the name of a case. */
export const leftOut = (recorded: RecordedCase): string | undefined => {
  if (recorded.legacyRules === true) return "rules of an old protocol"
  if (recorded.operations.some((operation) => soroban.has(operation))) return "a contract operation"
  if (recorded.network === null) return "the network is unknown"
  if (recorded.header.closeTime === null) return "the close time is unknown"
  if (!recorded.complete && !isMissingAccountsOnly(recorded)) return "entries it reads were not recorded"
  if (recorded.complete && lacksIssuer(recorded)) return "called complete, though the issuer it reads was not recorded"
  return undefined
}

/** Whether a trustline is opened or raised whose issuer is not in the recording. */
const lacksIssuer = ({ after, before, context = [], envelope, network }: RecordedCase): boolean => {
  const known = new Set([...before, ...context, ...after].map((entry) => idOfEntry(entryOf(entry))))
  const { operations } = innermost(readTransaction(envelopeOf(envelope), network ?? "")).tx
  return operations.some(({ body }) => {
    if (body.type !== "changeTrust" || body.changeTrustOp.limit === 0n) return false
    const { line } = body.changeTrustOp
    const issuer = line.type === "assetTypePoolShare" ? undefined : issuerOf(line)
    return issuer !== undefined && !known.has(idOf(keyOfAccount(issuer)))
  })
}

/**
 * The facts of a case that are independent of its result, so that a replay compares them. A case recorded without its ledger has the fee
 * only in its result. Its id pool, where given, is computed from the offers in its result.
 */
export const standsByItself = ({ result, txSetBaseFee }: RecordedCase): { readonly fee: boolean; readonly offerIds: boolean } => {
  const withLedger = txSetBaseFee !== undefined && txSetBaseFee !== null
  return { fee: withLedger, offerIds: withLedger && createdOffers(resultOfXdr(result)).length > 0 }
}

/** A success with only missing accounts proves that they exist, but not their flags. */
const isMissingAccountsOnly = ({ missing, operations, result }: RecordedCase): boolean =>
  resultOfXdr(result).result.type.endsWith("Success") &&
  !operations.some((operation) => readsFlags.has(operation)) &&
  missing.every(({ key }) => key !== undefined && keyOfXdr(key).type === "account")

/** Ids of every entry that the recorded transaction changed. */
export const touchedIds = ({ after, removed, transient }: RecordedCase): ReadonlyArray<string> => [
  ...after.map((entry) => idOfEntry(entryOf(entry))),
  ...[...removed, ...(transient ?? [])].map((key) => idOf(keyOfXdr(key)))
]

/** Replays a case alone and lists every difference from the recording. */
export const replay = (recorded: RecordedCase): ReadonlyArray<string> => {
  const before = [...recorded.before, ...(recorded.context ?? [])].map(entryOf)
  const implied = impliedEntries(recorded, before)
  const state = LedgerState.make(headerOf(recorded), [...implied, ...before])
  const envelope = envelopeOf(recorded.envelope)
  const applied = applyTransaction(state, envelope, {
    networkPassphrase: recorded.network ?? "",
    signatures: implied.length === 0 ? "verify" : "assume",
    surgeBaseFee: surgeOf(recorded, envelope)
  })
  return [
    ...differ("hash", Buffer.from(applied.transaction.hash).toString("hex"), recorded.hash),
    ...differ("fee", String(applied.feeCharged), recorded.feeCharged),
    ...differ("result", shown(applied.result), shown(comparable(recorded))),
    ...entriesDiffer(applied.state, recorded),
    ...othersChanged(applied, recorded),
    ...metaDiffers(applied, recorded)
  ]
}

export const headerOf = ({ header, result }: RecordedCase): Header => ({
  ledgerVersion: Number(header.ledgerVersion ?? 28),
  ledgerSeq: Number(header.ledgerSeq),
  closeTime: BigInt(header.closeTime ?? 0),
  baseFee: Number(header.baseFee),
  baseReserve: Number(header.baseReserve),
  idPool: header.idPool === null ? idPoolBefore(resultOfXdr(result)) : BigInt(header.idPool),
  flags: Number(header.flags ?? 0)
})

/** Ids of the offers that a success created, in order. */
const createdOffers = ({ result }: xdr.TransactionResult): ReadonlyArray<bigint> =>
  (result.type === "txSuccess" ? result.results : []).flatMap((each) => {
    const code = each.type === "opInner" ? each.tr.value : undefined
    const isOffer = code?.type === "manageSellOfferSuccess" || code?.type === "manageBuyOfferSuccess"
    return isOffer && code.success.offer.type === "manageOfferCreated" ? [code.success.offer.offer.offerId] : []
  })

/** The id pool before: where it was not recorded, one below the first new offer id. */
const idPoolBefore = (result: xdr.TransactionResult): bigint => (createdOffers(result)[0] ?? 1n) - 1n

/** Fee for each operation of the ledger; where it was not recorded, the value that the charged fee implies. */
export const surgeOf = ({ feeCharged, txSetBaseFee }: RecordedCase, envelope: xdr.TransactionEnvelope): number => {
  if (txSetBaseFee !== undefined && txSetBaseFee !== null) return Number(txSetBaseFee)
  const operations = envelope.type === "envelopeTypeTxFeeBump"
    ? envelope.feeBump.tx.innerTx.v1.tx.operations.length + 1
    : envelope.value.tx.operations.length
  return Math.ceil(Number(feeCharged) / operations)
}

/** Before protocol 25 a fee bump repeated the fee in its inner result, which is zero since then. */
export const comparable = (recorded: RecordedCase): xdr.TransactionResult => {
  const whole = resultOfXdr(recorded.result)
  const { result } = whole
  if (Number(recorded.header.ledgerVersion) >= 25) return whole
  if (result.type !== "txFeeBumpInnerSuccess" && result.type !== "txFeeBumpInnerFailed") return whole
  const pair = new xdr.InnerTransactionResultPair({
    ...result.innerResultPair,
    result: new xdr.InnerTransactionResult({ ...result.innerResultPair.result, feeCharged: 0n })
  })
  return new xdr.TransactionResult({ ...whole, result: xdr.TransactionResultResult[result.type](pair) })
}

export const shown = (value: { toXdr: (format: "base64") => string; toJson: () => unknown }): string =>
  `${value.toXdr("base64")} ${JSON.stringify(value.toJson())}`

export const differ = (what: string, got: string, wanted: string): ReadonlyArray<string> =>
  got === wanted ? [] : [`${what}\n    got    ${got}\n    wanted ${wanted}`]

export const entriesDiffer = (state: LedgerState, { after, removed }: RecordedCase): ReadonlyArray<string> => [
  ...after.map(entryOf).flatMap((wanted) => {
    const got = state.get(keyOf(wanted))
    return differ("entry", got === undefined ? "nothing" : shown(got), shown(wanted))
  }),
  ...removed.map(keyOfXdr).flatMap((key) => (state.get(key) === undefined ? [] : [`entry still there: ${idOf(key)}`]))
]

/** Only the recorded entries may change. */
const othersChanged = ({ meta }: AppliedTransaction, recorded: RecordedCase): ReadonlyArray<string> => {
  const expected = new Set(touchedIds(recorded))
  return [...meta.feeChanges, ...meta.txChangesBefore, ...meta.operations.flat(), ...meta.txChangesAfter]
    .map((change) => (change.type === "ledgerEntryRemoved" ? idOf(change.removed) : idOfEntry(change.value)))
    .filter((id) => !expected.has(id))
    .map((id) => `changed as well: ${id}`)
}

/**
 * The changes of every stage, as sets: the protocol does not define the order inside a stage, and states before a change were not recorded.
 */
const metaDiffers = ({ meta }: AppliedTransaction, recorded: RecordedCase): ReadonlyArray<string> => [
  ...(recorded.feeChanges === null || recorded.feeChanges === undefined || recorded.feeInterleaved === true
    ? []
    : setsDiffer("fee changes", withoutStates(meta.feeChanges), recorded.feeChanges)),
  ...(recorded.txChanges?.before === undefined || recorded.feeUndone === true || recorded.feeInterleaved === true
    ? []
    : setsDiffer("changes before", withoutStates(meta.txChangesBefore), recorded.txChanges.before)),
  ...(recorded.operationChanges ?? []).flatMap((changes, at) =>
    setsDiffer(`changes of operation ${at}`, withoutStates(meta.operations[at] ?? []), changes)
  )
]

const inBase64 = (change: xdr.LedgerEntryChange): string => change.toXdr("base64")

const withoutStates = (changes: ReadonlyArray<xdr.LedgerEntryChange>): ReadonlyArray<string> =>
  changes.filter(({ type }) => type !== "ledgerEntryState").map(inBase64)

const setsDiffer = (what: string, got: ReadonlyArray<string>, wanted: ReadonlyArray<string>): ReadonlyArray<string> => {
  const readable = (changes: ReadonlyArray<string>) => changes.map((change) => JSON.stringify(changeOf(change).toJson())).toSorted()
  return differ(what, readable(got).join("\n           "), readable(wanted).join("\n           "))
}

/** Unrecorded entries that must have existed: accounts that a success looked up, and the asset trustlines of a pool-share trustline. */
export const impliedEntries = (recorded: RecordedCase, entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<xdr.LedgerEntry> => {
  const known = new Set(entries.map(idOfEntry))
  const isSuccess = resultOfXdr(recorded.result).result.type.endsWith("Success")
  const accounts = isSuccess ? [...missingAccounts(recorded), ...inflationDestinations(recorded)] : []
  return [...accounts.map(bareAccount), ...poolLines(entries)].filter((entry) => !known.has(idOfEntry(entry)))
}

const missingAccounts = ({ missing }: RecordedCase): ReadonlyArray<xdr.PublicKey> =>
  missing.flatMap(({ key }) => {
    const parsed = key === undefined ? undefined : keyOfXdr(key)
    return parsed?.type === "account" ? [parsed.account.accountId] : []
  })

const inflationDestinations = ({ envelope }: RecordedCase): ReadonlyArray<xdr.PublicKey> => {
  const parsed = envelopeOf(envelope)
  if (parsed.type === "envelopeTypeTxFeeBump") return []
  const source = parsed.type === "envelopeTypeTx"
    ? accountOf(parsed.v1.tx.sourceAccount)
    : xdr.PublicKey.publicKeyTypeEd25519(parsed.v0.tx.sourceAccountEd25519)
  return parsed.value.tx.operations.flatMap(({ body }) => {
    const destination = body.type === "setOptions" ? body.setOptionsOp.inflationDest : null
    return destination === null || idOf(keyOfAccount(destination)) === idOf(keyOfAccount(source)) ? [] : [destination]
  })
}

const bareAccount = (account: xdr.PublicKey): xdr.LedgerEntry =>
  newEntry(xdr.LedgerEntryData.account(newAccount(account, 1_000_000_000n, 0n)))

const poolLines = (entries: ReadonlyArray<xdr.LedgerEntry>): ReadonlyArray<xdr.LedgerEntry> =>
  entries.flatMap(({ data }) => {
    if (data.type !== "trustline" || data.trustLine.asset.type !== "assetTypePoolShare") return []
    const poolId = idOf(keyOfPool(data.trustLine.asset.liquidityPoolId))
    const pool = entries.find((entry) => idOfEntry(entry) === poolId)
    if (pool?.data.type !== "liquidityPool") return []
    const { assetA, assetB } = pool.data.liquidityPool.body.constantProduct.params
    const owner = data.trustLine.accountId
    return [assetA, assetB].filter((asset) => !isNative(asset) && !isIssuer(owner, asset)).map((asset) => bareLine(owner, asset))
  })

const bareLine = (accountId: xdr.PublicKey, asset: xdr.Asset): xdr.LedgerEntry =>
  newEntry(
    xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId,
        asset: toTrustlineAsset(asset),
        balance: 0n,
        limit: 1_000_000_000n,
        flags: 1,
        ext: xdr.TrustLineEntryExt.v0()
      })
    )
  )
