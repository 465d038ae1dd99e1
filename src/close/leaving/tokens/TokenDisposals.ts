import { BigInt as Big } from "effect"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { showAmount, stroops } from "../../../domain/Amount.ts"
import type { Decision } from "../../../domain/Decision.ts"
import { isMuxed } from "../../../domain/DestinationAddress.ts"
import { ConversionFloorMissing, PlanChanged, QuoteDrifted, TransferDestinationUnusable } from "../../../domain/failure/Planning.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { address, i128 } from "../../../stellar/ScValCodec.ts"
import type { TokenRoute } from "../../../tokens/TokenRoutes.ts"
import { floorOf, floorPart } from "../../market/Floors.ts"
import { agreedFloor, unacceptedImpact } from "../../market/SaleAnswer.ts"
import { routeImpact } from "../../market/SaleOffer.ts"
import { destinationProblems } from "../../market/TransferProblems.ts"
import { unitsIn } from "../../situation/BaseUnits.ts"
import { slippageOf } from "../../situation/CloseInput.ts"
import type { Situation } from "../../situation/Situation.ts"
import { noPrice, type TokenDisposal } from "../../situation/TokenWork.ts"

/** So much of a token, and what is known of its way out. */
export interface TokenCase {
  readonly situation: Pick<Situation, "formerMediators" | "input" | "mediator" | "transferDestinations">
  readonly contract: ContractAddress
  /** Base units. */
  readonly amount: bigint
  readonly route: TokenRoute | null
  /** Until when the transaction that carries the call may be applied, Unix seconds. */
  readonly deadline: bigint
}

const noDisposal: TokenDisposal = { call: null, price: noPrice, failure: null }

/** The call by which the account gives a token to someone, and nothing else to anyone. */
const transferCall = (contract: ContractAddress, from: AccountAddress, to: AccountAddress, amount: bigint): ContractCall => ({
  contract,
  function: "transfer",
  args: [address.encode(from), address.encode(to), i128.encode(amount)],
  payouts: [],
  holds: [{ token: contract, amount }],
  subCalls: [],
  recipients: [to]
})

/** Why so much of it is more than was agreed to be given away; null: it is not. */
const exceeds = (amount: bigint, { id, params }: Decision): PlanChanged | null => {
  const most = unitsIn(params?.maxAmount)
  if (most !== null && amount <= most) return null
  const agreed = most === null ? {} : { agreed: most.toString() }
  return new PlanChanged({ planHash: null, changes: [{ kind: "amount", subject: id, ...agreed, current: amount.toString() }] })
}

/** The sale of a token, or of an asset through contracts, by its answer: never below the price that was agreed for `whole` of it. */
export const soldThroughContracts = (
  { amount, deadline, route, situation: { input } }: Pick<TokenCase, "amount" | "deadline" | "route" | "situation">,
  answer: Decision,
  whole: bigint | null
): TokenDisposal => {
  const floor = agreedFloor(answer, (agreed) => floorPart(agreed, whole, amount))
  if (floor === null) return { ...noDisposal, failure: new ConversionFloorMissing({ decisionId: answer.id }) }
  if (route === null || route.amountOut < floor || route.amountOut === 0n) {
    const current = route === null ? null : showAmount(route.amountOut)
    return { ...noDisposal, failure: new QuoteDrifted({ decisionId: answer.id, agreed: showAmount(floor), current }) }
  }
  const dearer = unacceptedImpact(answer, () => routeImpact(route))
  if (dearer !== null) return { ...noDisposal, failure: dearer }
  const quoted = floorOf(route.amountOut, slippageOf(input, answer))
  const least = Big.max(Big.max(quoted, floor), 1n)
  return {
    call: route.call({ user: input.source, least, deadline }),
    price: { receive: route.amountOut, floor: stroops(floor), least },
    failure: null
  }
}

/** The account that an answer sends a token to; null where it names none. A token's contract knows no ids behind accounts. */
export const tokenReceiver = ({ params }: Decision): AccountAddress | null =>
  params?.destination === undefined || isMuxed(params.destination) ? null : params.destination

const transferred = ({ amount, contract, situation }: TokenCase, answer: Decision): TokenDisposal => {
  const { input: { destination, source } } = situation
  const to = tokenReceiver(answer) ?? source
  const isOwn = to === destination && answer.params?.maxAmount === undefined
  const problems = destinationProblems(situation, to)
  return {
    ...noDisposal,
    call: transferCall(contract, source, to, amount),
    failure: (isOwn ? null : exceeds(amount, answer)) ?? (problems.length === 0 ? null : new TransferDestinationUnusable({ problems }))
  }
}

/** What becomes of so much of a token by its owner's answer. */
export const tokenDisposalOf = (of: TokenCase, answer: Decision | undefined): TokenDisposal => {
  switch (answer?.choice) {
    case "convert_to_native":
      return soldThroughContracts(of, answer, unitsIn(answer.params?.amount))
    case "transfer_to_account":
      return transferred(of, answer)
    case "acknowledge_residue":
      return { ...noDisposal, failure: exceeds(of.amount, answer) }
    default:
      return noDisposal
  }
}
