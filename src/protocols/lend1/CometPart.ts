import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { gate } from "../CodeGate.ts"
import type { GateFailure } from "../CodeGate.ts"
import { type Decoded, noPositions } from "../HeldPosition.ts"
import { undecoded } from "../kit/Decoding.ts"
import type { KnownCode } from "../kit/KnownCode.ts"
import type { LedgerView } from "../kit/LedgerView.ts"
import { noExit } from "../kit/NoExit.ts"
import { enrichmentOf } from "../kit/TokenFacts.ts"
import { part } from "../Place.ts"
import { leaveComet } from "./BackstopExit.ts"
import { cometDust, type CometState, cometState, sharesHeld } from "./Comet.ts"
import { cometKeys } from "./Keys.ts"
import { cometPosition } from "./Rows.ts"

/** The comet pool, with the shares an account has in its wallet. */
export const cometIn = (
  code: KnownCode<"backstopToken">,
  view: LedgerView,
  contract: ContractAddress,
  user: AccountAddress
): Either.Either<CometState, GateFailure> => Either.flatMap(gate(view, contract, code), (gated) => cometState(view, gated, user))

const decode = (code: KnownCode<"backstopToken">, contract: ContractAddress, user: AccountAddress, view: LedgerView): Decoded =>
  Either.match(
    Either.flatMap(gate(view, contract, code), (gated) =>
      Either.flatMap(
        sharesHeld(view, gated, user),
        (held): Either.Either<CometState | null, GateFailure> => held === 0n ? Either.right(null) : cometState(view, gated, user)
      )),
    {
      onLeft: (failure) => undecoded("lend_1", contract, "backstop token", failure),
      onRight: (state) =>
        state === null ? noPositions : {
          ...noPositions,
          positions: cometPosition(view, state, user),
          enrichment: enrichmentOf(view, [
            contract,
            ...(cometDust(view, state, state.held) === null ? [] : state.tokens.map(({ token }) => token))
          ])
        }
    }
  )

/** Shares of the comet pool that a backstop takes, in the wallet. */
export const cometPart = (code: KnownCode<"backstopToken">) =>
  part<{ readonly contract: ContractAddress }>("backstop token", {
    keys: ({ contract }, user) => cometKeys(contract, user),
    decode: ({ contract }, user, view) => decode(code, contract, user, view),
    exit: ({ contract }, _, context) =>
      Either.match(cometIn(code, context.view, contract, context.user), {
        onLeft: noExit(contract),
        onRight: (found) => leaveComet(found, context)
      }),
    reserves: ({ contract }) => [contract],
    shares: ({ contract }) => [contract]
  })
