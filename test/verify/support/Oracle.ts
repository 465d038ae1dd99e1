import { xdr } from "@stellar/stellar-sdk"
import { Either, Schema } from "effect"
import { appendFileSync } from "node:fs"
import { ContractAddress } from "../../../src/domain/Address.ts"
import type { TransactionsRequest, TransactionsResult } from "../../../src/domain/CloseTransaction.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import type { ContractBook, Expected, Held } from "../../../src/operations/Expected.ts"
import { Settings } from "../../../src/protocols/amm3/Entries.ts"
import { sandboxDeployment } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { assetIdOf } from "../../../src/stellar/Assets.ts"
import { codeOf, namedCode } from "../../../src/stellar/CodeReference.ts"
import { contractDataKey, instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { withContract } from "../../../src/verify/ContractBook.ts"
import { verify } from "../../../src/verify/Verify.ts"
import { accountKey, claimableBalanceKey } from "../../../src/xdr/LedgerKeys.ts"
import { written } from "./Corpus.ts"

type Request = Omit<Schema.Schema.Encoded<typeof TransactionsRequest>, "decisions"> & { readonly decisions?: Expected["decisions"] }
type Answer = Schema.Schema.Encoded<typeof TransactionsResult>
type Offered = Answer["transactions"][number]

/** The contracts file of the sandbox. */
const listedBook: ContractBook = { protocols: sandboxDeployment.contracts, code: sandboxDeployment.code, tokens: [], pairs: {} }

const isContract = Schema.is(ContractAddress)

const configKey = xdr.ScVal.scvSymbol("CONFIG")

const pairOf = (contract: ContractAddress, state: LedgerState): readonly [string, string] | null => {
  const data = state.get(contractDataKey(contract, configKey))?.data
  const found = data?.type === "contractData" ? Either.getOrNull(Settings.decode(data.contractData.val)) : null
  return found === null ? null : [found.token_a, found.token_b]
}

/** The hash of an instance's code, its own or by reference to another contract; null where it runs none. */
const codeIn = (instance: xdr.ScContractInstance, state: LedgerState): string | null => {
  const code = codeOf(instance)
  if (code._tag === "Wasm") return code.hash
  const data = code._tag === "Named" ? state.get(code.key)?.data : undefined
  return data === undefined ? null : Either.getOrNull(namedCode(data))
}

/** The caller's book of the contracts in a transaction: those that run listed code. */
const bookOf = ({ intent: { operations } }: Offered, state: LedgerState): ContractBook =>
  [...new Set(JSON.stringify(operations).match(/C[A-Z2-7]{55}/g))].filter((name) => isContract(name)).reduce((book, contract) => {
    const data = state.get(instanceKey(contract))?.data
    const instance = data?.type === "contractData" && data.contractData.val.type === "scvContractInstance"
      ? data.contractData.val.instance
      : null
    const wasmHash = instance === null ? null : codeIn(instance, state)
    const pair = pairOf(contract, state)
    return wasmHash === null ? book : withContract(book, { contract, wasmHash, ...(pair === null ? {} : { pair }) })
  }, listedBook)

const positionsOf = ({ coversTargets, intent }: Offered): ReadonlyArray<string> =>
  [
    ...coversTargets,
    ...intent.operations.flatMap((one) => (one.type === "invoke_contract" ? [one.contract] : []))
  ].filter((target) => /^C[A-Z2-7]{55}$/.test(target))

const heldClaim = (balanceId: string, state: LedgerState): Held => {
  const found = state.get(claimableBalanceKey(balanceId))?.data
  const id = `claim:${balanceId}`
  return found?.type === "claimableBalance"
    ? { id, asset: assetIdOf(found.claimableBalance.asset), amount: found.claimableBalance.amount }
    : { id }
}

/** The holdings in a caller's own read: here those that the transaction uses. */
const heldOf = (offered: Offered, { decisions = [] }: Request, state: LedgerState): ReadonlyArray<Held> => {
  const bought = offered.intent.operations.flatMap((one) => (one.type === "path_payment_strict_receive" ? [one.destAsset] : []))
  const positions = offered.covers.includes("EXIT_POSITIONS")
    ? Object.keys(sandboxDeployment.contracts).flatMap((protocol) =>
      positionsOf(offered).map((contract) => ({ id: `position:${protocol}:${contract}:held` }))
    )
    : []
  return [
    ...positions,
    ...(bought.length === 0
      ? []
      : decisions.filter(({ choice }) => choice === "buy_repay_asset_then_exit").map(({ id }) => ({ id, owes: bought }))),
    ...offered.intent.operations.flatMap((one) => (one.type === "claim_claimable_balance" ? [heldClaim(one.balanceId, state)] : []))
  ]
}

const memoOf = ({ memo }: Request, { intent }: Offered): Expected["memo"] => {
  if (memo === undefined || memo === null) return null
  return typeof memo === "string" ? { type: intent.memo?.type ?? "text", value: memo } : memo
}

const mediatorOf = ({ intent }: Offered, { destination }: Request, memo: Expected["memo"]): Pick<Expected, "mediator"> => {
  const [merge] = intent.operations
  return merge?.type === "account_merge" && merge.destination !== destination && intent.operations.length === 2
    ? { mediator: { address: merge.destination, memoType: memo?.type ?? "none" } }
    : {}
}

/** The caller's expectations of the offered transaction, from its own read of the ledger. */
export const expectedBy = (
  request: Request,
  { appliedDecisions = [] }: Answer,
  offered: Offered,
  state: LedgerState,
  passphrase: string
): Expected | null => {
  const found = state.get(accountKey(request.source))
  if (found?.data.type !== "account") return null
  const decisions = [...(request.decisions ?? []), ...appliedDecisions]
  const memo = memoOf(request, offered)
  return {
    networkPassphrase: passphrase,
    source: request.source,
    sequence: found.data.account.seqNum,
    balanceStroops: found.data.account.balance,
    destination: request.destination,
    memo,
    ...mediatorOf(offered, request, memo),
    decisions: decisions as Expected["decisions"],
    floors: Object.fromEntries(decisions.filter(({ params }) => params?.acceptPriceImpactBps !== undefined).map(({ id }) => [id, 1n])),
    contracts: offered.intent.operations.some(({ type }) => type === "invoke_contract") ? bookOf(offered, state) : listedBook,
    feeCap: 5_000_000_000n,
    now: Number(state.header.closeTime),
    validForSeconds: request.validForSeconds ?? 1800,
    phase: { held: heldOf(offered, request, state) }
  }
}

/** The name of a transaction by its effects. */
const recordedName = ({ intent: { operations } }: Offered): string =>
  [...new Set(operations.map((one) => (one.type === "invoke_contract" ? one.function : one.type)))].join(", ")

/** The file for recorded cases, one JSON object a line; undefined: no recording. */
const file = process.env["RECORD_VERIFIED"]

/** Whether it exits a protocol that a test brings: the allowed calls of that protocol are the test's own business. */
const isBrought = ({ coversTargets, intent }: Offered): boolean =>
  intent.operations.some((one) => one.type === "invoke_contract" && one.function === "leave") ||
  coversTargets.some((target) => {
    const [, protocol] = /^position:([a-z0-9_]+):/.exec(target) ?? []
    return protocol !== undefined && !Object.hasOwn(sandboxDeployment.contracts, protocol)
  })

/** Checks every transaction of an answer against its request; fails the test where the verifier rejects one. */
export const checkAnswer = (request: unknown, answer: unknown, state: LedgerState, passphrase: string): void => {
  const { transactions = [] } = answer as Answer
  for (const offered of transactions) {
    const expected = expectedBy(request as Request, answer as Answer, offered, state, passphrase)
    if (expected === null || isBrought(offered)) continue
    const found = verify(expected, offered.xdr)
    if (file !== undefined) {
      appendFileSync(file, `${written({ name: recordedName(offered), expected, envelope: offered.xdr })}\n`)
    }
    if (!found.ok || found.hash !== offered.hash) throw new Error(`the verifier refuses ${offered.hash}: ${JSON.stringify(found)}`)
  }
}
