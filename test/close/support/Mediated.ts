import { Account, Asset, type Keypair, Memo, Operation, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { floatOf } from "../../../src/close/situation/MediatorAccount.ts"
import { showAmount } from "../../../src/domain/Amount.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { Service } from "./Service.ts"

interface Listed {
  readonly entries: ReadonlyArray<{ readonly address: string; readonly requiresMediator: boolean; readonly memoType: string }>
}

/** The sandbox's exchanges: one that credits payments only, one that credits merges as well. */
export const exchanges = Effect.gen(function*() {
  const { call } = yield* Service
  const { body: { entries } } = yield* call<Listed>("GET", "/config/exchange-registry")
  const payments = entries.find(({ requiresMediator }) => requiresMediator)
  const merges = entries.find(({ requiresMediator }) => !requiresMediator)
  if (payments === undefined || merges === undefined) return yield* Effect.dieMessage("the sandbox lists other exchanges than expected")
  return { payments: payments.address, merges: merges.address }
})

const accountIn = (state: LedgerState, address: string): xdr.AccountEntry | null => {
  const found = state.get(accountKey(address))
  return found?.data.type === "account" ? found.data.account : null
}

/** An account of the sandbox's ledger by its address; null when there is none. */
export const accountAt = (address: string) =>
  Effect.flatMap(Service, ({ sandbox }) => Effect.map(sandbox.snapshot, ({ state }) => accountIn(state, address)))

/** Its lumens in stroops. */
export const lumensAt = (address: string) =>
  Effect.flatMap(
    accountAt(address),
    (account) => (account === null ? Effect.dieMessage("the account is missing") : Effect.succeed(account.balance))
  )

/** The spendable lumens of an account, in stroops; never negative. */
export const floatIn = (state: LedgerState, address: string): bigint => {
  const account = accountIn(state, address)
  return account === null ? 0n : floatOf(account, state.header.baseReserve)
}

export const balanceIn = (state: LedgerState, address: string): bigint => accountIn(state, address)?.balance ?? 0n

/** A hand-made mediated close; fields without a value are as they should be. */
export interface Forged {
  readonly source: Keypair
  readonly mediator: string
  readonly destination: string
  readonly operations?: ReadonlyArray<xdr.Operation>
  readonly memo?: Memo
  /** Stroops beyond the right amount. */
  readonly extra?: bigint
  /** The whole bid in stroops. */
  readonly fee?: bigint
  readonly sequence?: bigint
  readonly seconds?: number
  readonly passphrase?: string
  readonly shape?: (builder: TransactionBuilder) => TransactionBuilder
}

/** Lumens in the format of the SDK. */
export const lumens = (stroops: bigint): string => showAmount(stroops)

/** The two operations of a mediated close. */
export const twoOperations = (
  { amount, destination, mediator, source }: Pick<Forged, "source" | "mediator" | "destination"> & { readonly amount: bigint }
) => [
  Operation.accountMerge({ source: source.publicKey(), destination: mediator }),
  Operation.payment({ source: mediator, destination, asset: Asset.native(), amount: lumens(amount) })
]

/** The unsigned transaction, built on the sandbox's current ledger. */
export const forge = (forged: Forged) =>
  Effect.gen(function*() {
    const { passphrase, sandbox } = yield* Service
    const { state } = yield* sandbox.snapshot
    const account = accountIn(state, forged.source.publicKey())
    const fee = forged.fee ?? 200n
    const amount = (account?.balance ?? 1000n) - fee + (forged.extra ?? 0n)
    const operations = forged.operations ?? twoOperations({ ...forged, amount })
    const sequence = forged.sequence ?? (account?.seqNum ?? 0n) + 1n
    const builder = new TransactionBuilder(new Account(forged.source.publicKey(), (sequence - 1n).toString()), {
      fee: (Number(fee) / operations.length).toString(),
      networkPassphrase: forged.passphrase ?? passphrase,
      memo: forged.memo ?? Memo.text("customer 42")
    })
    for (const operation of operations) builder.addOperation(operation)
    const now = Math.max(Math.floor(Date.now() / 1000), Number(state.header.closeTime))
    return (forged.shape ?? ((plain) => plain.setTimebounds(0, now + (forged.seconds ?? 200))))(builder).build()
  })
