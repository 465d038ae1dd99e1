import type { Keypair } from "@stellar/stellar-sdk"
import type { Schema } from "effect"
import type { TransactionsResult } from "../../src/domain/CloseTransaction.ts"
import type { Plan } from "../../src/domain/Plan.ts"
import type { SubmitResult } from "../../src/domain/SubmitResult.ts"
import type { Api } from "./Api.ts"
import { type Answer, compare, type OfferedTransaction } from "./Compare.ts"
import { type LedgerAccess, outcomeOf, type TransactionOutcome } from "./Outcome.ts"
import { aside, chapter, line, short } from "./Screen.ts"

type PlanAnswer = Schema.Schema.Encoded<typeof Plan>
type NextAnswer = Schema.Schema.Encoded<typeof TransactionsResult>
type Submitted = Schema.Schema.Encoded<typeof SubmitResult>

/** More calls than any close of this demo needs: it must come to an end. */
const mostCalls = 60

/** The most a transaction may cost, in stroops; contract calls pay for what they use. */
const maxFeeStroops = 5_000_000

/** What a close needs to know. */
export interface CloseOrder {
  readonly api: Api
  readonly ledger: LedgerAccess
  readonly passphrase: string
  readonly source: Keypair
  readonly destination: string
  /** Contracts in which the account holds something. */
  readonly contracts: ReadonlyArray<string>
}

/** What came of it. */
export interface Closed {
  readonly plan: PlanAnswer
  readonly outcomes: ReadonlyArray<TransactionOutcome>
}

const showSteps = ({ steps }: PlanAnswer): void => {
  for (const { index, operationCount, title } of steps) {
    line(short(`${String(index + 1).padStart(2)}. ${title}${operationCount > 1 ? ` (${operationCount} operations)` : ""}`))
  }
}

/** Takes what is recommended, else the first option that needs nothing more, and ends what others may take; shows each question with its options. */
const decide = ({ decisionPoints }: PlanAnswer): ReadonlyArray<Answer> =>
  decisionPoints.filter(({ required, type }) => required || type === "allowance").map(({ id, options, subject }) => {
    line(short(`? ${subject}`))
    for (const { id: choice, note, quote } of options) {
      aside(short(`    ${choice}${quote === undefined ? "" : `, brings ${quote.receive} lumens`}${note === undefined ? "" : `: ${note}`}`))
    }
    const chosen = options.find(({ recommended = false }) => recommended) ?? options.find(({ needs }) => needs.length === 0)
    if (chosen === undefined) throw new Error(`${id} offers nothing that can be sent back as it is`)
    line(`    → ${chosen.id}`)
    return { id, choice: chosen.id, ...(chosen.params === undefined ? {} : { params: chosen.params }) }
  })

const showTransaction = ({ id, intent, signing, validUntil }: OfferedTransaction): void => {
  line(short(`${id}: ${intent.summary}`))
  aside(`fee at most ${intent.feeStroops} stroops, usable until ${validUntil}`)
  for (const { account, level, requiredWeight } of signing) {
    aside(short(`${account} signs with a weight of at least ${requiredWeight} (${level})`))
  }
}

/** Closes an account as any client would: plan, decide, and then build, compare, sign and submit until nothing is left. */
export const close = async ({ api, contracts, destination, ledger, passphrase, source }: CloseOrder): Promise<Closed> => {
  const request = { source: source.publicKey(), destination }
  chapter("The plan")
  const asked = await api.post<PlanAnswer>("/v1/testnet/close/plan", request)
  showSteps(asked)
  for (const { message } of asked.warnings) aside(`note: ${message}`)

  chapter("The decisions")
  const decisions = decide(asked)
  const plan = await api.post<PlanAnswer>("/v1/testnet/close/plan", { ...request, decisions })
  if (plan.status !== "ready") throw new Error(`the plan is ${plan.status}: ${JSON.stringify(plan.blockers)}`)
  line(`The plan is ready: ${plan.estimate.transactionCount} transaction(s), dry run ${plan.projection.status}.`)
  line(`It promises ${plan.estimate.receivedLumens} lumens, ${plan.estimate.minReceivedLumens} at the agreed floors.`)

  chapter("The close")
  const outcomes: Array<TransactionOutcome> = []
  let planHash: string | null = plan.planHash
  for (let call = 1; call <= mostCalls; call++) {
    const next: NextAnswer = await api.post("/v1/testnet/close/transactions", {
      ...request,
      decisions,
      ...(planHash === null ? {} : { planHash })
    })
    const [offered] = next.transactions
    if (offered === undefined) throw new Error("no transaction was handed over")
    showTransaction(offered)
    const transaction = compare(offered, { source: request.source, destination, passphrase, answers: decisions, contracts, maxFeeStroops })
    line(`compared: ${transaction.operations.length} operations are what was agreed`)
    transaction.sign(source)
    const { hash, ledger: number } = await api.post<Submitted>("/v1/testnet/submit", { signedXdr: transaction.toXdr() })
    line(`signed, submitted, in ledger ${number}: ${hash}`)
    outcomes.push(await outcomeOf(ledger, transaction, hash))
    if (!next.remaining.requiresAnotherCall) return { plan, outcomes }
    planHash = next.nextPlanHash
  }
  throw new Error(`the close did not come to an end within ${mostCalls} calls`)
}
