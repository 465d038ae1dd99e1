import type { Decided, Decision, Plan, Question } from "../../src/client/Client.ts"
import { parseAmount } from "../../src/domain/Amount.ts"
import { careful } from "../client/support/CarefulOwner.ts"
import { answerTo, type Choosable } from "../deep/support/campaign/CarefulCaller.ts"
import { faultsOf } from "../deep/support/campaign/Judgement.ts"
import type { Thing } from "../deep/support/campaign/Stage.ts"
import type { Closing } from "./Cast.ts"
import type { LedgerOracle } from "./LedgerOracle.ts"
import type { World } from "./World.ts"

/** Kinds of questions, by the beginnings of decision ids. */
const types: ReadonlyArray<Choosable["type"]> = ["position", "token", "positions", "tokens", "claims", "later", "claim"]

const typeIn = (id: string): Choosable["type"] => types.find((type) => id === type || id.startsWith(`${type}:`)) ?? "asset"

/** An owner's memory over all attempts to close the account. */
export class Owner {
  readonly closing: Closing
  /** Things in contracts at the first plan. */
  readonly held: ReadonlyArray<Thing>
  readonly #decisions = new Map<string, Decision>()
  /** The last ready plan, and the newest ledger at its time. */
  #promise: { readonly plan: Plan; readonly ledger: number } | null = null

  constructor(closing: Closing) {
    this.closing = closing
    this.held = [...(closing.stage?.things ?? [])]
  }

  /** Remembers an honest plan's promises, and its decisions. */
  agreed(plan: Plan, decisions: ReadonlyArray<Decision>, ledger: number): void {
    for (const one of decisions) this.#decisions.set(one.id, one)
    if (plan.status === "ready") this.#promise = { plan, ledger }
  }

  /** Decides as a careful owner does. */
  decide(question: Question): Decided {
    const { stage, story } = this.closing
    if (stage === null) {
      const { options } = question
      return careful(question) ?? options.find(({ effect, id }) => effect === "claims" || id === "return_to_issuer")?.id ?? null
    }
    const { id, options } = question
    const answer = answerTo({ ...stage, later: story.later }, { id, type: typeIn(id), options })
    if (answer !== null) this.#decisions.set(id, answer)
    return answer
  }

  /** The faults of a finished close. */
  faults({ log, network }: World, oracle: LedgerOracle, received: bigint): ReadonlyArray<string> {
    const { leftIn, source, stage } = this.closing
    const { state } = oracle.chain
    const plan = this.#promise?.plan ?? null
    const failedFees = oracle.failedFees(source.publicKey(), this.#promise?.ledger ?? 0)
    const promised = parseAmount(plan?.estimate.minReceivedLumens ?? "") ?? 0n
    log.note("received", source.publicKey().slice(0, 6), received, "promised", promised, "failed", failedFees)
    const short = received + failedFees < promised ? [`${received} stroops were received, ${failedFees} failed, ${promised} promised`] : []
    if (stage === null) return [...short, ...leftIn(state).map((what) => `${what} stay behind unasked`)]
    const played = { end: "merged" as const, answers: [...this.#decisions.values()], plan, failedFees, course: [] }
    return faultsOf(played, stage, { held: this.held, passphrase: network.passphrase, received, state })
  }
}
