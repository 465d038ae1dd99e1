import { Either } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ContractCall } from "../../operations/ContractCall.ts"
import { account, contract, i128, u64 } from "../../stellar/ScValCodec.ts"
import { gate, type GateFailure, specIn } from "../CodeGate.ts"
import type { Exit, ExitContext } from "../Exit.ts"
import { floorOf } from "../kit/Floor.ts"
import { type LedgerView, requiredInInstance } from "../kit/LedgerView.ts"
import { noExit, unavailable } from "../kit/NoExit.ts"
import { isDust, showWorth } from "../kit/Worth.ts"
import { routerFactory } from "./Keys.ts"
import type { PairCode } from "./PairCode.ts"
import { type PairFacts, type PairState, pairState } from "./PairState.ts"
import { type Amounts, withdrawalOf } from "./Withdrawal.ts"

/** A router, and the factory whose pairs it finds. */
interface Router {
  readonly address: ContractAddress
  readonly factory: ContractAddress
}

const routersIn = (
  view: LedgerView,
  { declaredRouter, router }: Pick<PairCode, "declaredRouter" | "router">,
  routers: ReadonlyArray<ContractAddress>
): Either.Either<ReadonlyArray<Router>, GateFailure> =>
  Either.all(
    routers.map((address) =>
      Either.gen(function*() {
        const { instance, wasmHash } = yield* gate(view, address, router, declaredRouter)
        const factory = yield* requiredInInstance(address, instance, routerFactory, contract)
        // Every call of it is compared with what its code declares, which so travels with the rest.
        yield* specIn(view, { wasmHash })
        return { address, factory }
      })
    )
  )

/**
 * `remove_liquidity(token_a, token_b, liquidity, amount_a_min, amount_b_min, to, deadline)`: takes the shares and pays for them in one
 * call. Shares sent to the pair beforehand would be anyone's. The router refuses at the very second of the deadline.
 */
const removeLiquidity = (
  router: ContractAddress,
  { feeTo, held, pair: { address: pair, byInterface, wasmHash }, tokens }: PairState,
  worth: Amounts,
  { deadline, maxSlippageBps, user }: Pick<ExitContext, "deadline" | "maxSlippageBps" | "user">
): ContractCall => ({
  contract: router,
  function: "remove_liquidity",
  args: [
    contract.encode(tokens[0]),
    contract.encode(tokens[1]),
    i128.encode(held),
    i128.encode(floorOf(worth[0], maxSlippageBps)),
    i128.encode(floorOf(worth[1], maxSlippageBps)),
    account.encode(user),
    u64.encode(deadline)
  ],
  payouts: [{ token: tokens[0], expected: worth[0] }, { token: tokens[1], expected: worth[1] }],
  holds: [{ token: pair, amount: held }],
  subCalls: [
    { contract: pair, function: "transfer", args: [account.encode(user), contract.encode(pair), i128.encode(held)], subCalls: [] }
  ],
  recipients: [pair, ...(feeTo === null ? [] : [feeTo])],
  ...(byInterface ? { codeBelow: [wasmHash] } : {})
})

const left = (state: PairState, routers: ReadonlyArray<Router>, facts: PairFacts, context: ExitContext): Exit => {
  const router = routers.find(({ factory }) => factory === facts.factory)
  if (router === undefined) return unavailable("No known router finds the pairs of its factory.")
  if (state.factory !== router.factory) {
    return unavailable("The pair names another factory than the one that lists it, so its router does not find it.")
  }
  if (state.books === null) return unavailable("A token of the pair does not report what the pair holds, so the payout is not known.")
  const worth = withdrawalOf(state.books, state.held)
  if (worth === null) return unavailable("The value of the shares is too large for the pair to compute.")
  if (isDust(state.held, worth)) return { _tag: "Gone" }
  return worth.includes(0n)
    ? unavailable(
      `The shares are worth ${
        showWorth(context.view, state.tokens, worth)
      }, and the pair pays nothing if one side rounds to zero. It pays for more shares.`
    )
    : { _tag: "Calls", calls: [removeLiquidity(router.address, state, worth, context)], unlocksAt: null }
}

/** Leaves a pair with all shares, through a router of its factory. */
export const leavePair = (code: PairCode, routers: ReadonlyArray<ContractAddress>, facts: PairFacts, context: ExitContext): Exit => {
  const state = pairState(context.view, code, facts, context.user)
  const known = routersIn(context.view, code, routers)
  if (Either.isLeft(state)) return noExit(facts.contract)(state.left, known)
  if (state.right === null) return { _tag: "Gone" }
  return Either.isLeft(known) ? noExit(facts.contract)(known.left) : left(state.right, known.right, facts, context)
}
