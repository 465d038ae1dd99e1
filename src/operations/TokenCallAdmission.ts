import { amountIn } from "../domain/DecisionAmount.ts"
import { type Around, type Breach, breach, firstBreach } from "./Around.ts"
import { authorizationBreaches } from "./CallAuthorization.ts"
import { addressIn, integerIn } from "./ContractValues.ts"
import type { SentParams } from "./Expected.ts"
import type { CallParts } from "./HandOver.ts"

/** Whether so much may be given away: all of it where it goes to the close's own destination. */
const isWithin = (units: bigint, id: string, { maxAmount }: SentParams, isOwn: boolean): boolean => {
  if (maxAmount === undefined) return isOwn
  const most = amountIn(id, maxAmount)
  return most !== null && units <= most
}

/** A token goes to whom its decision names, and no more of it than that says. */
const transferBreaches = ({ args, contract }: CallParts, { decided, expected }: Around): ReadonlyArray<Breach> => {
  const id = `token:${contract}`
  const { choice, params = {} } = decided.to(id) ?? {}
  const [from, to, amount] = args
  const receiver = addressIn(to)
  const units = integerIn(amount) ?? 0n
  return firstBreach(
    [
      choice !== "transfer_to_account" || receiver !== params.destination,
      "payment",
      `Sends ${contract} to ${receiver}, which no decision asks for.`
    ],
    [
      args.length !== 3 || addressIn(from) !== expected.source || units <= 0n,
      "contract_arguments",
      `Transfers ${contract} in a way that a close does not.`
    ],
    [!isWithin(units, id, params, receiver === expected.destination), "amount", `Sends more of ${contract} than was decided.`]
  )
}

/** An allowance is ended, never given: by decision, or of a token that the book lists. */
const approvalBreaches = ({ args, contract }: CallParts, { decided, expected }: Around): ReadonlyArray<Breach> => {
  const [owner, spender, amount, until] = args
  const of = addressIn(spender)
  const decision = decided.to(`allowance:${contract}:${of}`)
  const isAsked = decision === undefined ? expected.contracts.tokens.includes(contract) : decision.choice === "revoke"
  return firstBreach(
    [!isAsked, "not_decided", `Ends what ${of} may take of ${contract}, which no decision asks for.`],
    [
      args.length !== 4 || addressIn(owner) !== expected.source || of === null || integerIn(until) === null,
      "contract_arguments",
      `Calls approve of ${contract} in a way that a close does not.`
    ],
    [integerIn(amount) !== 0n, "amount", `Lets ${of} take of ${contract}.`]
  )
}

/** Why a call of a token itself is not one that a close makes: it asks for nothing below it. */
export const tokenCallBreaches = (call: CallParts, around: Around): ReadonlyArray<Breach> => {
  const { body, expected: { source } } = around
  if (body.type !== "invokeHostFunction") return breach("unknown_operation", "This is no call.")
  return [
    ...(call.name === "transfer" ? transferBreaches(call, around) : approvalBreaches(call, around)),
    ...authorizationBreaches(body.invokeHostFunctionOp, { source, handOvers: [], isValued: () => true })
  ]
}
