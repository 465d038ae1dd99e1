import { assert } from "@effect/vitest"
import { FeeBumpTransaction, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { recomputed } from "../../scripts/receipt-check.ts"
import { outcomeOf } from "../../src/client/Outcome.ts"
import { httpLayer } from "../../src/client/ServiceClient.ts"

/** Whether each submitted transaction of a test is looked up again: set in `npm run test:deep`. */
export const recomputesReceipts = process.env["RECOMPUTE_RECEIPTS"] !== undefined

interface Built {
  readonly source: string
  readonly destination: string
}

const sourceOf = (envelope: string, passphrase: string): string => {
  const decoded = TransactionBuilder.fromXdr(envelope, passphrase)
  return (decoded instanceof FeeBumpTransaction ? decoded.innerTransaction : decoded).source
}

/** A contract RPC's answer about a transaction; null where a test replaces it. */
const askedOf = async (rpcUrl: string, hash: string): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTransaction", params: { hash } })
  const answer = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => null)
  const { result } = answer?.ok === true ? await answer.json().catch(() => ({})) as { result?: { status?: string } } : {}
  return result?.status === "SUCCESS" ? result : null
}

/** The receipt that the script recomputes; null where the SDK cannot read the answer, for instance of a newer protocol. */
const recomputedOf = (asked: unknown, parties: Parameters<typeof recomputed>[1]): unknown => {
  try {
    return recomputed(asked, parties)
  } catch (error) {
    if (error instanceof xdr.XdrError) return null
    throw error
  }
}

/**
 * Compares, for each submitted transaction, the client's receipt with the result of `scripts/receipt-check.ts`, which shares no code with
 * the client.
 */
export const receiptOracle = (passphrase: string, rpcUrl: string) => {
  const destinations = new Map<string, string>()
  return {
    /** Remembers the destination of a source's close. */
    isFor: (request: unknown): void => {
      const { destination, source } = request as Built
      destinations.set(source, destination)
    },
    recompute: (path: string, body: unknown, { body: answer, status }: { readonly status: number; readonly body: unknown }) => {
      if (status !== 200 || path !== "/v1/testnet/submit") return null
      const { hash } = answer as { readonly hash: string }
      return Effect.gen(function*() {
        const source = sourceOf((body as { readonly signedXdr: string }).signedXdr, passphrase)
        const parties = { source, destination: destinations.get(source) ?? source, passphrase }
        const asked = yield* Effect.promise(() => askedOf(rpcUrl, hash))
        if (asked === null) return
        const outcome = yield* outcomeOf({ rpcUrl }, hash, parties)
        const own = recomputedOf(asked, { ...parties, networkPassphrase: passphrase })
        assert.deepStrictEqual<unknown>(outcome, own, `the receipt of ${hash}`)
        recomputedSoFar.count++
      }).pipe(Effect.provide(httpLayer(undefined)))
    }
  }
}

/** Recomputed transactions of this process. */
export const recomputedSoFar = { count: 0 }
