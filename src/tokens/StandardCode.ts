/**
 * Code that keeps what a holder has under `Balance(holder)` and nowhere else, so that no such entry means no balance: SHA-256 of the wasm
 * (hex). Held to recordings of what its own getter says.
 */
const recorded: ReadonlyArray<string> = [
  // The token of soroban-examples.
  "bd9235029d8d9f74041175288d05dee60a2307eda6f895be59c995279848afef",
  // Share tokens.
  "06672bb9c201ca4084c22396a6081ef026774432efba5038d0ae36703717a2e6",
  "255e57de9a1a43a672c9499354cd0bb7f99c29a407938ffa4117f443fcf90272",
  "c9fe635e9f7e12865a1e94632aab5e5f9a546e83ae3e01d28faecad23f684da3",
  // Pairs and weighted pools, which are tokens of their own shares.
  "18051456816b66f12e773a56f77c5794fac1b1fb7ab6e22d4fad5a412770f73e",
  "8abc28913035c07411ed5d134e6bfeab4723d97ddd4d1a22a0605d35c94d1a36"
]

/** Code that has shown it lately. */
const mostLearned = 1000

/** Which code keeps balances in entries of the common form. */
export interface StandardCode {
  /** Null is code that somebody else may exchange at any time: it shows nothing. */
  readonly has: (code: string | null) => boolean
  /** Some token of this code said of a holder just what the entry of the common form has, and it was more than nothing. */
  readonly learn: (code: string | null) => void
}

/** What is recorded, and nothing learned yet. */
export const standardCode = (): StandardCode => {
  const known = new Set(recorded)
  const learned = new Set<string>()
  return {
    has: (code) => code !== null && (known.has(code) || learned.has(code)),
    learn: (code) => {
      if (code === null || known.has(code)) return
      learned.delete(code)
      learned.add(code)
      const [oldest] = learned
      if (learned.size > mostLearned && oldest !== undefined) learned.delete(oldest)
    }
  }
}
