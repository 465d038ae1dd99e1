import type { Exit } from "../../../protocols/ProtocolRegistry.ts"

type Calls = Extract<Exit, { readonly _tag: "Calls" }>

/** Calls that leave the position itself: rewards come and go while it is left. */
const leaving = ({ calls }: Calls): number => calls.filter(({ claimsOnly = false }) => !claimsOnly).length

/**
 * Whether the first call of an exit brings its position closer to its end, by what would be left to do after it: fewer calls that
 * leave it, or as many and fewer claims, or after the call that starts a wait another one. Who does what the service says would go on
 * for ever otherwise.
 */
export const isProgress = (before: Calls, after: Exit): boolean =>
  after._tag !== "Calls" ||
  leaving(after) < leaving(before) ||
  (leaving(after) === leaving(before) && after.calls.length < before.calls.length) ||
  (before.unlocksAt !== null && after.calls[0].function !== before.calls[0].function)
