import { Effect } from "effect"
import { Networks } from "../../Networks.ts"
import { TestAccounts } from "../close-page/SandboxPages.ts"

/** Facts of this service for its pages. */
export interface PageFacts {
  readonly networks: ReadonlyArray<{ readonly name: string; readonly passphrase: string; readonly sandbox: boolean }>
  /** Contracts of the sandbox, where one is served. */
  readonly sandboxContracts: object | null
}

/** The facts for the pages: nothing of them is private. */
export const pageFacts: Effect.Effect<PageFacts, never, Networks> = Effect.gen(function*() {
  const { enabled } = yield* Networks
  const pages = yield* TestAccounts
  return {
    networks: [...enabled].map(([name, { passphrase, sandbox }]) => ({ name, passphrase, sandbox })),
    sandboxContracts: pages?.contracts ?? null
  }
})
