import { Option } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Decision } from "../../domain/Decision.ts"
import type { DestinationAddress } from "../../domain/DestinationAddress.ts"
import type { BalanceId, PoolId } from "../../domain/Ledger.ts"
import type { ProtocolName } from "../../domain/ProtocolName.ts"
import type { SponsorshipTarget } from "../../operations/SponsorshipTarget.ts"
import { DecisionId, type DecisionSubject, type SubjectOf, subjectOf } from "./DecisionId.ts"

/** The owner's answers of a close request, each found by what it is about. Undefined: the request has no such answer. */
export class Answers {
  /** By decision id, in the order of the request. */
  readonly #byId: ReadonlyMap<string, Decision>
  /** Assets that the answer about unsellable ones names, as far as its maximum reaches, by the ids of their decisions. */
  readonly #unsold: ReadonlySet<string>

  constructor(answers: Iterable<Decision>) {
    this.#byId = new Map(Array.from(answers, (answer) => [answer.id, answer]))
    const { ids = [], maxCount = 0 } = this.unsellableAssets?.params ?? {}
    this.#unsold = new Set([...new Set(ids)].slice(0, maxCount))
  }

  /** The answers in the order of the request. */
  get all(): ReadonlyArray<Decision> {
    return [...this.#byId.values()]
  }

  /** The ids of the decisions that are answered, in the order of the request. */
  get ids(): ReadonlyArray<string> {
    return [...this.#byId.keys()]
  }

  /** Every subject of one kind that an answer is about, in the order of the request. */
  subjects<Tag extends DecisionSubject["_tag"]>(tag: Tag): ReadonlyArray<SubjectOf<Tag>> {
    return this.ids.flatMap((id) => {
      const subject = Option.getOrNull(subjectOf(id))
      return subject?._tag === tag ? [subject as SubjectOf<Tag>] : []
    })
  }

  /** The answer to a decision point, or about anything that carries a decision's id. */
  to({ id }: { readonly id: string }): Decision | undefined {
    return this.#byId.get(id)
  }

  /** Whether a decision point, or anything that carries a decision's id, is answered. */
  has({ id }: { readonly id: string }): boolean {
    return this.#byId.has(id)
  }

  destination(address: DestinationAddress): Decision | undefined {
    return this.#byId.get(DecisionId.destination(address))
  }

  issuer(address: AccountAddress): Decision | undefined {
    return this.#byId.get(DecisionId.issuer(address))
  }

  asset(asset: AssetId): Decision | undefined {
    return this.#byId.get(DecisionId.asset(asset))
  }

  /** About the assets that nothing is known to buy. */
  get unsellableAssets(): Decision | undefined {
    return this.#byId.get(DecisionId.unsellableAssets)
  }

  /** Whether an asset has no answer of its own, and the answer about those that nothing is known to buy covers it. */
  coversUnsold(asset: AssetId): boolean {
    const id = DecisionId.asset(asset)
    return this.#unsold.has(id) && !this.#byId.has(id)
  }

  /** About all claimable balances of an asset. */
  claims(asset: AssetId): Decision | undefined {
    return this.#byId.get(DecisionId.claims(asset))
  }

  /** About one claimable balance. */
  claim(balanceId: BalanceId): Decision | undefined {
    return this.#byId.get(DecisionId.claim(balanceId))
  }

  /** About the claimable balances that nothing is known to buy. */
  get otherClaims(): Decision | undefined {
    return this.#byId.get(DecisionId.otherClaims)
  }

  /** About the claimable balances beyond those that could be listed. */
  get unreadClaims(): Decision | undefined {
    return this.#byId.get(DecisionId.unreadClaims)
  }

  pool(poolId: PoolId): Decision | undefined {
    return this.#byId.get(DecisionId.pool(poolId))
  }

  token(contract: ContractAddress): Decision | undefined {
    return this.#byId.get(DecisionId.token(contract))
  }

  /** About the tokens that nothing is known to buy. */
  get otherTokens(): Decision | undefined {
    return this.#byId.get(DecisionId.otherTokens)
  }

  position(position: Parameters<typeof DecisionId.position>[0]): Decision | undefined {
    return this.#byId.get(DecisionId.position(position))
  }

  /** About all positions of a protocol that others gave. */
  positions(protocol: ProtocolName): Decision | undefined {
    return this.#byId.get(DecisionId.positions(protocol))
  }

  /** About the positions that others gave and that nothing is known to buy. */
  get otherPositions(): Decision | undefined {
    return this.#byId.get(DecisionId.otherPositions)
  }

  /** About what of a protocol cannot be read. */
  unreadPositions(protocol: ProtocolName): Decision | undefined {
    return this.#byId.get(DecisionId.unreadPositions(protocol))
  }

  allowance(allowance: Parameters<typeof DecisionId.allowance>[0]): Decision | undefined {
    return this.#byId.get(DecisionId.allowance(allowance))
  }

  sponsorship(target: SponsorshipTarget): Decision | undefined {
    return this.#byId.get(DecisionId.sponsorship(target))
  }

  /** The answer that leaves behind what came after a plan. */
  get later(): Decision | undefined {
    return this.#byId.get(DecisionId.later)
  }
}
