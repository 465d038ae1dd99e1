import { Effect } from "effect"
import { given } from "../Callback.ts"
import type { Sign, SigningRequest } from "../SigningRequest.ts"

/** Who can sign, by the key of the signer: G... or X... */
export type Signers = Readonly<Record<string, Sign>>

/** The fewest of these signers that reach the weight an account needs, the heaviest first. So none is superfluous, which the network would refuse. */
export const fewestOf = (available: ReadonlySet<string>, row: SigningRequest["signing"][number]): ReadonlyArray<string> => {
  const chosen: Array<string> = []
  let missing = row.requiredWeight
  for (const { key, weight } of row.signers.toSorted((left, right) => right.weight - left.weight)) {
    if (missing <= 0 || weight === 0 || !available.has(key)) continue
    chosen.push(key)
    missing -= weight
  }
  return chosen
}

/** Signs with as many of several signers as the transaction needs. */
export const signWithSeveral = (signers: Signers): Sign => (request) => {
  const available = new Set(Object.keys(signers))
  const keys = [...new Set(request.signing.flatMap((row) => fewestOf(available, row)))]
  return Effect.reduce(keys, request.envelope, (envelope, key) => {
    const sign = signers[key]
    return sign === undefined ? Effect.succeed(envelope) : given(key, () => sign({ ...request, envelope }))
  })
}
