import { largestAmount, showAmount, stroops } from "../../domain/Amount.ts"
import type { DecisionOption, DecisionPoint } from "../../domain/Decision.ts"
import { parseTotal } from "../../domain/Total.ts"
import type { AtomicGroup } from "./AtomicGroup.ts"

/** A disposal that is made in several transactions: the question of one of them, and how much leaves in it. */
interface Share {
  readonly point: DecisionPoint
  readonly amount: bigint
}

const optionIn = ({ point }: Share, id: string): DecisionOption | undefined => point.options.find((option) => option.id === id)

/** The floor of a share, for as much as all of them together: at the price of this one. */
const floorForAll = (floor: bigint, { amount }: Share, total: bigint): bigint => (floor * total) / amount

const atMost = (amount: bigint) => stroops(amount < largestAmount ? amount : largestAmount)

/** A share whose question offers a conversion. */
interface Convertible {
  readonly option: DecisionOption
  readonly quote: NonNullable<DecisionOption["quote"]>
  /** The floor of the share, for as much as all of them together. */
  readonly floor: bigint
}

const convertible = (share: Share, total: bigint): Convertible | null => {
  const option = optionIn(share, "convert_to_native")
  const least = option?.params?.minReceive
  return option?.quote === undefined || least === undefined
    ? null
    : { option, quote: option.quote, floor: floorForAll(least, share, total) }
}

/** The conversion of everything at the price of the worst share; null where one of them cannot be converted. */
const joinedConversion = (shares: ReadonlyArray<Share>, total: bigint): DecisionOption | null => {
  const parts = shares.flatMap((share) => convertible(share, total) ?? [])
  const [first] = parts
  if (first === undefined || parts.length < shares.length) return null
  const receive = parts.reduce((sum, { quote }) => sum + quote.receive, 0n)
  const floor = parts.reduce((least, part) => (part.floor < least ? part.floor : least), first.floor)
  if (floor === 0n) return null
  return {
    ...first.option,
    note: `Sell ${showAmount(total)} for lumens in ${shares.length} parts; refused below ${
      showAmount(floor)
    } for all of it, which is the price of the worst part.`,
    quote: { ...first.quote, receive: atMost(receive) },
    params: { ...first.option.params, minReceive: atMost(floor), amount: showAmount(total) }
  }
}

const joinedAmount = (option: DecisionOption, shares: ReadonlyArray<Share>): DecisionOption => {
  if (option.params?.maxAmount === undefined) return option
  const sum = shares.reduce((most, share) => most + (parseTotal(optionIn(share, option.id)?.params?.maxAmount ?? "") ?? 0n), 0n)
  return { ...option, params: { ...option.params, maxAmount: showAmount(sum) } }
}

const joined = (shares: ReadonlyArray<Share>, last: DecisionPoint): DecisionPoint => {
  if (shares.length === 1) return last
  const total = shares.reduce((sum, { amount }) => sum + amount, 0n)
  const conversion = joinedConversion(shares, total)
  const [, asset = ""] = last.subject.split(" ")
  return {
    ...last,
    subject: `${showAmount(total)} ${asset}`,
    options: [
      ...(conversion === null ? [] : [conversion]),
      ...last.options.filter(({ id }) => id !== "convert_to_native").map((option) => joinedAmount(option, shares))
    ],
    answered: shares.every(({ point }) => point.answered)
  }
}

/** The questions of groups; what is asked about one asset in several of them is asked once, for all of it. */
export const disposalPoints = (groups: ReadonlyArray<AtomicGroup>): ReadonlyArray<DecisionPoint> => {
  const shares = new Map<string, Array<Share>>()
  for (const { disposed, points } of groups) {
    const point = disposed === null ? undefined : points.find(({ id }) => id === disposed.decision)
    if (disposed === null || point === undefined) continue
    shares.set(point.id, [...(shares.get(point.id) ?? []), { point, amount: disposed.amount }])
  }
  return groups.flatMap(({ points }) => points).map((point) => {
    const found = shares.get(point.id)
    return found === undefined ? point : joined(found, point)
  })
}
