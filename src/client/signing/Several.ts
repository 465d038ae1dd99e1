import { Effect } from "effect"
import { given } from "../Callback.ts"
import type { Sign, SigningRequest } from "../SigningRequest.ts"

/** Who can sign, by the key of the signer: G... or X... */
export type Signers = Readonly<Record<string, Sign>>

type Row = SigningRequest["signing"][number]

/** The heaviest of some signers until they reach the weight, so that none is superfluous: the network would refuse that. */
const heaviestOf = (signers: Row["signers"], requiredWeight: number): Row["signers"] => {
  const chosen: Array<Row["signers"][number]> = []
  let missing = requiredWeight
  for (const one of signers.toSorted((left, right) => right.weight - left.weight)) {
    if (missing <= 0 || one.weight === 0) break
    chosen.push(one)
    missing -= one.weight
  }
  return chosen
}

/**
 * The keys of the fewest of these signers that reach the weight an account needs. A preimage is only taken where keys do not suffice: all who see
 * the signed transaction know it, the service too.
 */
export const fewestOf = (available: ReadonlySet<string>, { requiredWeight, signers }: Row): ReadonlyArray<string> => {
  const usable = signers.filter(({ key }) => available.has(key))
  const byKeys = heaviestOf(usable.filter(({ key }) => !key.startsWith("X")), requiredWeight)
  const isEnough = byKeys.reduce((sum, { weight }) => sum + weight, 0) >= requiredWeight
  return (isEnough ? byKeys : heaviestOf(usable, requiredWeight)).map(({ key }) => key)
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
