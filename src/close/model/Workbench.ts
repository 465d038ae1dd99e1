import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import type { FeePayer } from "../../domain/Plan.ts"
import { applyTransaction } from "../../ledger/Apply.ts"
import { accountKey } from "../../ledger/LedgerKey.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import type { Operation } from "../../operations/Operations.ts"
import { envelopeOf } from "./Envelope.ts"
import { spendable } from "./Holdings.ts"
import { operationResults, succeeded } from "./ResultCodes.ts"

/** Lumens lent to the account here, so that a quote never depends on who pays the fee. */
const lent = 1_000_000_0000000n

/** What came of trying operations: the ledger after them, or null when one of them fails. */
export interface Trial {
  readonly after: Workbench | null
  readonly results: ReadonlyArray<xdr.OperationResult>
}

/** A copy of the ledger on which operations are tried one after the other, to see what each brings. */
export class Workbench {
  static open(state: LedgerState, account: AccountAddress, passphrase: string): Workbench {
    const key = accountKey(account)
    const found = state.get(key)
    if (found?.data.type !== "account") return new Workbench(() => state, account, passphrase, 0)
    const entry = found.data.account
    const richer = new xdr.LedgerEntry({
      ...found,
      data: xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...entry, balance: entry.balance + lent }))
    })
    const rich = state.set([richer])
    return new Workbench(() => rich, account, passphrase, 0)
  }

  private readonly stateOf: () => LedgerState
  private readonly account: AccountAddress
  private readonly passphrase: string
  /** Operations applied since it was opened. Each was charged the base fee here. */
  private readonly operations: number

  private constructor(stateOf: () => LedgerState, account: AccountAddress, passphrase: string, operations: number) {
    this.stateOf = stateOf
    this.operations = operations
    this.account = account
    this.passphrase = passphrase
  }

  /** The ledger after everything applied so far, made when it is asked for: most trials are only looked at for their results. */
  get state(): LedgerState {
    return this.stateOf()
  }

  /**
   * Stroops the account could spend here without what it was lent, the fees of a whole transaction already taken, as the ledger does: of
   * everything applied so far and of `more` operations, where the account pays them itself. May be negative.
   */
  spendable(feePayer: FeePayer, more: number): bigint {
    const found = this.state.get(accountKey(this.account))
    if (found?.data.type !== "account") return 0n
    const { baseFee, baseReserve } = this.state.header
    const due = feePayer === "source" ? more : -this.operations
    return spendable(found.data.account, baseReserve) - lent - BigInt(due * baseFee)
  }

  /** Applies operations of the account as one transaction. */
  attempt(operations: ReadonlyArray<Operation>): Trial {
    const found = this.state.get(accountKey(this.account))
    if (found?.data.type !== "account") return { after: null, results: [] }
    const envelope = envelopeOf({
      source: this.account,
      currentSequence: found.data.account.seqNum,
      operations,
      feePerOperation: BigInt(this.state.header.baseFee),
      memo: null,
      maxTime: this.state.header.closeTime + 1n,
      maxLedger: this.state.header.ledgerSeq + 1
    })
    const applied = applyTransaction(this.state, envelope, { networkPassphrase: this.passphrase, signatures: "assume" })
    const after = succeeded(applied.result)
      ? new Workbench(() => applied.state, this.account, this.passphrase, this.operations + operations.length)
      : null
    return { after, results: operationResults(applied.result) }
  }
}
