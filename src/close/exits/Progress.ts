import type { Exit } from "../../protocols/ProtocolRegistry.ts"

type Calls = Extract<Exit, { readonly _tag: "Calls" }>

/**
 * Whether the first call of an exit brings its position closer to its end, by what would be left to do after it: fewer calls, or
 * after the call that starts a wait another one. Who does what the service says would go on for ever otherwise.
 */
export const isProgress = (before: Calls, after: Exit): boolean =>
  after._tag !== "Calls" ||
  after.calls.length < before.calls.length ||
  (before.unlocksAt !== null && after.calls[0].function !== before.calls[0].function)
