import { Context, type Effect, type Option } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"

/** What the pages may know and do on the embedded sandbox. */
export interface SandboxPages {
  /** Its contracts, as a contracts file lists them: the verifier on the page knows no other ones of a sandbox. */
  readonly contracts: object
  /** Makes an account of an address, with something to close, and another one to close it into; none where it cannot be made. */
  readonly testAccount: (address: AccountAddress) => Effect.Effect<Option.Option<AccountAddress>>
}

/** The embedded sandbox, for the pages; null where none is served. */
export class TestAccounts extends Context.Reference<TestAccounts>()("closeout/http/TestAccounts", {
  defaultValue: (): SandboxPages | null => null
}) {}
