import type { OfferedOption } from "../domain/Decision.ts"

/** Params that name who gets something. They are the owner's word: no option of a plan fills them in. */
const ownersWord = ["destination", "newSponsor"] as const

/** The param that an option fills in although only its owner can; null: there is none. */
export const presumedIn = ({ params }: Pick<OfferedOption, "params">): (typeof ownersWord)[number] | null =>
  ownersWord.find((name) => params?.[name] !== undefined) ?? null
