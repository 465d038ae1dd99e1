import { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress } from "../../domain/Address.ts"
import type { FeePayer } from "../../domain/Plan.ts"
import { Draft } from "../../ledger/Draft.ts"
import type { EntryReader } from "../../ledger/EntryReader.ts"
import { FrozenKeys } from "../../ledger/Frozen.ts"
import { fault } from "../../ledger/LedgerFault.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { tryOperations } from "../../ledger/Run.ts"
import { build, type Operation } from "../../operations/Operations.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { spendable } from "./Holdings.ts"

/** Lumens lent to the account here, so that a quote never depends on who pays the fee. */
const lent = 1_000_000_0000000n

/** The result of trying operations: the ledger after them, or null when one of them fails. */
export interface Trial {
  readonly after: Workbench | null
  readonly results: ReadonlyArray<xdr.OperationResult>
}

/**
 * A copy of the ledger on which operations are tried one after the other, to see what each brings. What is tried leaves no trace on it: the trial
 * is a workbench of its own, which stands on this one until this one keeps it.
 */
export class Workbench implements EntryReader {
  static open(state: LedgerState, account: AccountAddress): Workbench {
    const draft = Draft.of(state)
    const found = draft.get(accountKey(account))
    if (found?.data.type === "account") {
      const entry = found.data.account
      draft.put(
        new xdr.LedgerEntry({
          ...found,
          data: xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...entry, balance: entry.balance + lent }))
        })
      )
    }
    return new Workbench({ draft, key: accountKey(account), frozen: FrozenKeys.of(draft) }, null, 0)
  }

  private readonly ledger: { readonly draft: Draft; readonly key: xdr.LedgerKey; readonly frozen: FrozenKeys }
  /** Where this was tried. */
  private readonly base: Workbench | null
  /** Operations applied since it was opened. Each was charged the base fee here. */
  private readonly operations: number
  private made: LedgerState | null = null

  private constructor(ledger: Workbench["ledger"], base: Workbench | null, operations: number) {
    this.ledger = ledger
    this.base = base
    this.operations = operations
  }

  get(key: xdr.LedgerKey): xdr.LedgerEntry | undefined {
    return this.ledger.draft.get(key)
  }

  /** The ledger after everything applied so far. Single entries are had for less. */
  get state(): LedgerState {
    return (this.made ??= this.ledger.draft.toState())
  }

  private get account(): xdr.AccountEntry | null {
    const data = this.get(this.ledger.key)?.data
    return data?.type === "account" ? data.account : null
  }

  /**
   * Stroops the account could spend here without what it was lent, the fees of a whole transaction already taken, as the ledger does: of
   * everything applied so far and of `more` operations, where the account pays them itself. May be negative.
   */
  spendable(feePayer: FeePayer, more: number): bigint {
    const { account } = this
    if (account === null) return 0n
    const { baseFee, baseReserve } = this.ledger.draft.header
    const due = feePayer === "source" ? more : -this.operations
    return spendable(account, baseReserve) - lent - BigInt(due * baseFee)
  }

  /** Applies operations of the account as one transaction. */
  attempt(operations: ReadonlyArray<Operation>): Trial {
    const { account, ledger } = this
    if (account === null) return { after: null, results: [] }
    const draft = ledger.draft.fork()
    const outcome = tryOperations(draft, account.accountId, operations.map(build), ledger.frozen)
    return {
      after: outcome.code === "txSuccess" ? new Workbench({ ...ledger, draft }, this, this.operations + operations.length) : null,
      results: "operations" in outcome ? outcome.operations : []
    }
  }

  /** Whether it was tried on another, or on what was tried there. */
  isOn(other: Workbench): boolean {
    return this === other || (this.base !== null && this.base.isOn(other))
  }

  /** This workbench after what was tried on it. From then on it takes the place of both. */
  keep(tried: Workbench): Workbench {
    if (!tried.isOn(this)) fault("calls tried for other plans are cached")
    tried.ledger.draft.commitTo(this.ledger.draft)
    return new Workbench(this.ledger, this.base, tried.operations)
  }
}
