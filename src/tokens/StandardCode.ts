/**
 * Code that keeps what every holder has under `Balance(holder)` and nowhere else, so that no such entry means no balance: SHA-256 of the wasm
 * (hex). Each is held to recordings of its own bytecode: what its getter says is what the entry has, for holders with an entry and without
 * (`test/tokens/RecordedTokens.test.ts`). Nothing is ever added by what a token says of some holder: another holder's
 * balance may stand elsewhere.
 */
const recorded: ReadonlySet<string> = new Set([
  // The token of soroban-examples.
  "bd9235029d8d9f74041175288d05dee60a2307eda6f895be59c995279848afef",
  // Share tokens.
  "06672bb9c201ca4084c22396a6081ef026774432efba5038d0ae36703717a2e6",
  "255e57de9a1a43a672c9499354cd0bb7f99c29a407938ffa4117f443fcf90272",
  "c9fe635e9f7e12865a1e94632aab5e5f9a546e83ae3e01d28faecad23f684da3",
  // Pairs and weighted pools, which are tokens of their own shares.
  "18051456816b66f12e773a56f77c5794fac1b1fb7ab6e22d4fad5a412770f73e",
  "8abc28913035c07411ed5d134e6bfeab4723d97ddd4d1a22a0605d35c94d1a36"
])

/** Whether code is recorded as keeping all balances in entries of the common form. Null is code that someone else may exchange at any time. */
export const keepsEntries = (code: string | null): boolean => code !== null && recorded.has(code)
