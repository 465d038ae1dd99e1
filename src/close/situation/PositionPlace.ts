import type { HeldPosition } from "../../protocols/ProtocolRegistry.ts"
import { labelIn } from "./ProtocolLabels.ts"
import type { Situation } from "./Situation.ts"

const isAddress = (text: string): boolean => /^[CG][A-Z2-7]{55}$/.test(text)

type Row = HeldPosition["rows"][number]

/** Which of the names of a row tells what holds it: the pair of a pool, or the name of a pool or vault. */
const holders: Record<Row["positionType"], (display: NonNullable<Row["display"]>) => string | null> = {
  lp: ({ asset }) => asset && `pool ${asset}`,
  stake: ({ asset }) => asset && `pool ${asset}`,
  supply: ({ pool }) => pool && `pool ${pool}`,
  borrow: ({ pool }) => pool && `pool ${pool}`,
  cdp: ({ pool }) => pool,
  other: () => null
}

/** What in a protocol holds a position, as its rows name it; null where only its address tells it. */
const holderOf = ({ rows: [row] }: HeldPosition): string | null => {
  const holder = row?.display === undefined ? null : holders[row.positionType](row.display)
  return holder === null || holder.split(" ").some(isAddress) ? null : holder
}

/** Where a position is held, for people: `Aquarius pool XLM/USDC`. */
export const placeOf = (situation: Pick<Situation, "snapshot">, position: HeldPosition): string =>
  [labelIn(situation, position.protocol), holderOf(position) ?? []].flat().join(" ")
