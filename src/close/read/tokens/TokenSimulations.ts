import { Clock, Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import type { Decision } from "../../../domain/Decision.ts"
import type { ProtocolName } from "../../../domain/Position.ts"
import type { ContractCall } from "../../../operations/ContractCall.ts"
import { type CallSimulation, toBeLeft } from "../../model/Exits.ts"
import { knownAssetsIn } from "../../model/KnownTokenAssets.ts"
import { acceptedFee } from "../../model/ResourceFees.ts"
import type { Situation } from "../../model/Situation.ts"
import type { TokenWork } from "../../model/TokenWork.ts"
import { priced } from "../exits/DearCall.ts"
import { aboutToken } from "../simulation/AboutToken.ts"
import { callContext } from "../simulation/CallContext.ts"
import { simulateCall } from "../simulation/CallSimulator.ts"
import type { TokenPurpose, TokenSources } from "./TokenSources.ts"

/** Calls simulated side by side. */
const concurrency = 4

/** Until when calls are simulated ahead of their turn, milliseconds since reading began: a share of a plan's deadline. */
const aheadUntil = 12_000

type Simulated = Pick<TokenWork, "tokens" | "sales" | "allowances">

/** A call of contract work, and what came of simulating it. */
interface Due {
  readonly id: string
  readonly token: ContractAddress
  readonly call: ContractCall
  readonly answer: Decision | undefined
  /** Whether the token keeps books of its own. */
  readonly ownBooks: boolean
  /** The protocol through whose pools it goes; null: through none. */
  readonly protocol: ProtocolName | null
}

/** Calls that can be made on the ledger that was read. */
const dueIn = ({ allowances, sales, tokens }: Simulated): ReadonlyArray<Due> => [
  ...tokens.flatMap(({ answer, disposal: { call, failure }, id, route, token: { contract, modified }, waits }): ReadonlyArray<Due> =>
    call === null || failure !== null || waits
      ? []
      : [{
        id,
        answer,
        call,
        token: contract,
        ownBooks: modified === null,
        protocol: call.contract === contract ? null : route?.source ?? null
      }]
  ),
  ...sales.flatMap(({ answer, contract, disposal: { call, failure }, id, route, waits }): ReadonlyArray<Due> =>
    call === null || failure !== null || waits
      ? []
      : [{ id, answer, call, token: contract, ownBooks: false, protocol: route?.source ?? null }]
  ),
  ...allowances.flatMap(({ allowance, answer, call, id }) =>
    call === null
      ? []
      : [{ id, answer, call, token: ContractAddress.make(allowance.token), ownBooks: allowance.isOnlyTold === true, protocol: null }]
  )
]

/** The work with what came of simulating its calls. One that never ends, traps or does more than it should is told as such, and fails nothing else. */
export const simulateTokenCalls = (
  { entries, protocols, rpc }: TokenSources,
  situation: Situation,
  { began, mostResourceFee: setting, purpose }: TokenPurpose,
  work: TokenWork
): Effect.Effect<TokenWork, ChainFailure> =>
  Effect.gen(function*() {
    const { exits, input, passphrase, snapshot } = situation
    const assets = knownAssetsIn({ exits, passphrase, tokenWork: work })
    const context = callContext({ entries, rpc }, snapshot, { user: input.source, assets })
    const due = dueIn(work)
    // Positions are left first, so that what is handed over now is one of theirs.
    const next = purpose === "build" && !toBeLeft(exits).some(({ exit }) => exit._tag === "Calls") ? due[0]?.id : undefined
    const one = ({ answer, call, id, ownBooks, protocol, token }: Due): Effect.Effect<CallSimulation, ChainFailure> =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<CallSimulation, ChainFailure> => {
        if (now > began + aheadUntil && id !== due[0]?.id) return Effect.succeed({ _tag: "Unreached" })
        const knownCode = new Set(protocols.all.find(({ name }) => name === protocol)?.code)
        return Effect.flatMap(
          simulateCall({ ...context, knownCode, about: aboutToken(passphrase, token, ownBooks) }, call, id === next),
          (told) => priced(entries, told, { accepted: acceptedFee(answer, setting), setting })
        )
      })
    const told = new Map(
      yield* Effect.forEach(due, (each) => Effect.map(one(each), (simulation) => [each.id, simulation] as const), { concurrency })
    )
    return {
      ...work,
      tokens: work.tokens.map((each) => ({ ...each, simulation: told.get(each.id) ?? null })),
      sales: work.sales.map((each) => ({ ...each, simulation: told.get(each.id) ?? null })),
      allowances: work.allowances.map((each) => ({ ...each, simulation: told.get(each.id) ?? null }))
    }
  })
