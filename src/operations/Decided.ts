import { type AssetId, dashed, native } from "../domain/Asset.ts"
import { parseTotal } from "../domain/Total.ts"
import type { Expected, Held, SentDecision } from "./Expected.ts"

/** A position by the id of its decision. */
export interface NamedPosition {
  readonly id: string
  readonly protocol: string
  readonly contracts: ReadonlyArray<string>
  /** Of the pool that it lies in, as far as the caller knows. */
  readonly tokens: ReadonlyArray<string>
}

const positionShape = /^position:([a-z0-9_]+):(C[A-Z2-7]{55}):/
const contractShape = /C[A-Z2-7]{55}/g

/** Choices that leave behind what they are about. */
const givingUp: ReadonlySet<string> = new Set(["forfeit", "acknowledge_forfeit", "acknowledge_residue"])

/** Groups of decisions by what the ids of their members begin with. */
const groups = { claims: "claim:", tokens: "token:", positions: "position:" } as const

/** Lumens in a text of a decision, stroops; null where there are none. */
export const lumensIn = (text: string | undefined): bigint | null => (text === undefined ? null : parseTotal(text))

/** The position that an id names; null for an id of something else. */
const positionIn = (id: string, { contracts = [], tokens = [] }: Pick<Held, "contracts" | "tokens"> = {}): NamedPosition | null => {
  const [, protocol] = positionShape.exec(id) ?? []
  return protocol === undefined ? null : { id, protocol, contracts: [...(id.match(contractShape) ?? []), ...contracts], tokens }
}

/** What a caller decided, found by what it is about. */
export class Decided {
  readonly #byId: ReadonlyMap<string, SentDecision>
  readonly #held: ReadonlyArray<Held>

  constructor({ decisions, phase }: Pick<Expected, "decisions" | "phase">) {
    this.#byId = new Map(decisions.map((one) => [one.id, one]))
    this.#held = phase.held
  }

  get all(): ReadonlyArray<SentDecision> {
    return [...this.#byId.values()]
  }

  to(id: string): SentDecision | undefined {
    return this.#byId.get(id)
  }

  /** What the account holds outside of its entries, by the caller's own read. */
  held(id: string): Held | undefined {
    return this.#held.find((one) => one.id === id)
  }

  /** Whether an asset goes back to its issuer by the decision about all that nothing buys. */
  isReturnedUnsold(asset: AssetId): boolean {
    const id = `asset:${dashed(asset)}`
    const { choice, params: { ids = [], maxCount = 0 } = {} } = this.to("assets:unsellable") ?? {}
    return choice === "return_to_issuer" && !this.#byId.has(id) && [...new Set(ids)].slice(0, maxCount).includes(id)
  }

  /** Whether the caller decided what becomes of an asset: then it may arrive. */
  isAboutAsset(asset: AssetId): boolean {
    return this.#byId.has(`asset:${dashed(asset)}`) || this.isReturnedUnsold(asset)
  }

  /** Whether claimable balances of an asset are claimed by a decision. */
  claims(asset: AssetId): boolean {
    return this.#isClaim(this.to(`claims:${dashed(asset)}`)) ||
      this.#held.some((one) => one.asset === asset && this.#isClaim(this.to(one.id)))
  }

  /**
   * Whether a balance may be claimed: by a decision about it, because the caller's own read shows it and no decision leaves it, or by a
   * decision about all balances of an asset that the caller's read does not know.
   */
  isClaimed(balanceId: string): boolean {
    const id = `claim:${balanceId}`
    const own = this.to(id)
    if (own !== undefined) return this.#isClaim(own)
    const held = this.held(id)
    if (held !== undefined) return this.givenUpBy(held) === undefined
    return this.all.some((one) => one.id.startsWith("claims:") && this.#isClaim(one))
  }

  #isClaim(decision: SentDecision | undefined): boolean {
    return decision !== undefined && (decision.choice === "claim" || decision.choice === "add_trustline_then_claim")
  }

  /** What a claimable balance, a token or a position that the caller's read shows is left behind by; undefined: nothing. `among`: what is still open. */
  givenUpBy({ asset, id }: Held, among: ReadonlyArray<Held> = this.#held): SentDecision | undefined {
    const own = this.to(id)
    if (own !== undefined) return givingUp.has(own.choice) ? own : undefined
    const ofAsset = asset === undefined ? undefined : this.to(`claims:${asset.replace(":", "-")}`)
    if (ofAsset !== undefined) return givingUp.has(ofAsset.choice) ? ofAsset : undefined
    // What nothing is known to buy is never lumens.
    if (asset === native) return undefined
    return this.#groupsOf(id).flatMap((group) => this.to(group) ?? []).find((group) =>
      givingUp.has(group.choice) && this.#covers(group, id, among)
    )
  }

  /** Positions that are left: shown by the caller's read or decided about, and not given up. */
  get positions(): ReadonlyArray<NamedPosition> {
    const decided = this.all.flatMap(({ choice, id, params }) => {
      if (givingUp.has(choice)) return []
      return id.startsWith("positions:") ? params?.ids ?? [] : [id]
    })
    const held = this.#held.filter((one) => this.givenUpBy(one) === undefined)
    return [...held.map((one) => positionIn(one.id, one)), ...decided.map((id) => positionIn(id, this.held(id)))].filter((one) =>
      one !== null
    )
  }

  /** Whether all that the caller says of positions in a contract is that they are left behind. */
  isGivenUp(contract: string): boolean {
    const isNamed = ({ id }: { readonly id: string }): boolean => positionIn(id)?.contracts.includes(contract) ?? false
    return this.all.some((one) => isNamed(one) && givingUp.has(one.choice)) &&
      !this.positions.some(({ contracts }) => contracts.includes(contract))
  }

  #groupsOf(id: string): ReadonlyArray<string> {
    const [group] = Object.entries(groups).find(([, start]) => id.startsWith(start)) ?? []
    if (group === undefined) return []
    const protocol = positionIn(id)?.protocol
    return [`${group}:others`, ...(protocol === undefined ? [] : [`${group}:${protocol}`])]
  }

  /** Whether a group names an id, or, where it names none, whether it may cover as many as are still open. */
  #covers({ params: { ids, maxCount = 0 } = {} }: SentDecision, id: string, among: ReadonlyArray<Held>): boolean {
    if (ids !== undefined) return [...new Set(ids)].slice(0, maxCount).includes(id)
    const start = id.slice(0, id.indexOf(":") + 1)
    return among.filter((one) => one.id.startsWith(start) && !this.#byId.has(one.id)).length <= maxCount
  }
}
