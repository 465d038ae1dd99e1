import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress } from "../domain/Address.ts"
import type { ProtocolName } from "../domain/ProtocolName.ts"
import type { GateFailure } from "./CodeGate.ts"
import type { Exit, ExitContext } from "./Exit.ts"
import { type HeldPosition, noPositions } from "./HeldPosition.ts"
import { undecoded } from "./kit/Decoding.ts"
import type { LedgerView } from "./kit/LedgerView.ts"
import { noExit } from "./kit/NoExit.ts"
import { enrichmentOf } from "./kit/TokenFacts.ts"
import { type Part, part, type Place } from "./Place.ts"

/** A kind of place that holds at most one position of an account. What one reading finds is shown, and is left. */
export interface OnePosition<Facts extends Pick<Place, "contract" | "key">, Found> extends Omit<Part<Facts>, "decode" | "exit"> {
  /** Keys of the first round. */
  readonly keys: (facts: Facts, user: AccountAddress) => ReadonlyArray<xdr.LedgerKey>
  /** What the account has there; null: nothing. Left: queries must be answered first, or it cannot be read. */
  readonly read: (facts: Facts, user: AccountAddress, view: LedgerView) => Either.Either<Found | null, GateFailure>
  /** What the API and the close show of it. */
  readonly position: (found: Found, user: AccountAddress, facts: Facts) => Omit<HeldPosition, "protocol" | "contract">
  /** How it is left. It is read anew before each call. */
  readonly exit: (found: Found, context: ExitContext, facts: Facts) => Exit
}

/** The places of such a kind. What cannot be read is shown as unrecognized, and is not left. */
export const onePosition = <Facts extends Pick<Place, "contract" | "key">, Found>(
  protocol: ProtocolName,
  role: string,
  { exit, position, read, ...others }: OnePosition<Facts, Found>
): (facts: Facts) => Place =>
  part<Facts>(role, {
    ...others,
    decode: (facts, user, view) =>
      Either.match(read(facts, user, view), {
        onLeft: (failure) => undecoded(protocol, facts.contract, role, failure),
        onRight: (found) => {
          if (found === null) return noPositions
          const held = position(found, user, facts)
          const tokens = [...held.pays, ...[...held.owes, ...(held.rewards ?? [])].map(({ token }) => token)]
          return {
            ...noPositions,
            positions: [{ ...held, protocol, contract: facts.contract }],
            enrichment: enrichmentOf(view, tokens)
          }
        }
      }),
    exit: (facts, _, context) =>
      Either.match(read(facts, context.user, context.view), {
        onLeft: (failure) => noExit(facts.contract)(failure),
        onRight: (found) => (found === null ? { _tag: "Gone" } : exit(found, context, facts))
      })
  })
