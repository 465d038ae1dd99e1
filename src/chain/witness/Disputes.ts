import type { AccountAddress } from "../../domain/Address.ts"
import type { SourcesDisagree } from "../../domain/failure/Upstream.ts"
import { ttlCache } from "../../fibers/TtlCache.ts"

/** Accounts that are remembered. For more, the oldest are dropped. */
const most = 20_000

/** Disputes do not expire, so that all of them are of one moment. */
const moment = 0

/** Accounts for which another endpoint contradicted what the first one showed. */
export class Disputes {
  readonly #open = ttlCache<AccountAddress, SourcesDisagree>({ most })

  /** Remembers a contradiction of what a transaction of this account rests on. */
  add(account: AccountAddress, failure: SourcesDisagree): void {
    this.#open.set(account, failure, moment)
  }

  /** Forgets all contradictions for this account. */
  settle(account: AccountAddress): void {
    this.#open.delete(account)
  }

  /** The last contradiction for this account; undefined: there is none. */
  of(account: AccountAddress): SourcesDisagree | undefined {
    return this.#open.get(account, moment)
  }
}
