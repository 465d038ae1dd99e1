import { Effect, Option } from "effect"
import { wrongInput } from "./CommandFailed.ts"
import type { Secrets } from "./Secrets.ts"

/** The account of `--fee-payer`, with its secret among those that were given; nothing where none is named. */
export const feePayerOf = (address: Option.Option<string>, secrets: Secrets) =>
  Effect.gen(function*() {
    if (Option.isNone(address)) return {}
    const sign = secrets.get(address.value)
    return sign === undefined
      ? yield* wrongInput("The secret of --fee-payer is not among the secrets that were given.")
      : { feePayer: { account: address.value, sign } }
  })
