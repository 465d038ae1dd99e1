import type { HttpClient } from "@effect/platform"
import { Array as Arr, Effect } from "effect"
import type { AccountState } from "../domain/Account.ts"
import { AccountAddress } from "../domain/Address.ts"
import { ContractRpcLagging, SourcesDisagree } from "../domain/failure/Upstream.ts"
import { isOutside } from "../domain/ProtocolName.ts"
import type { Held } from "../operations/Expected.ts"
import type { SeenContract } from "../verify/ContractBook.ts"
import { mayEverBeClaimed } from "./ClaimWindow.ts"
import { UnknownPosition, type WitnessUnavailable } from "./ClientFailure.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import { dustIn } from "./Dust.ts"
import { called, CallFailed, Service } from "./ServiceClient.ts"
import { unixTime } from "./UnixTime.ts"
import { type WitnessedAccount, witnessedAccount, witnessedCode } from "./Witness.ts"
import { type WitnessedClaim, witnessedClaims } from "./WitnessedClaims.ts"

/** What the client knows of the account, beside the envelope that it is to judge. */
export interface AccountView {
  readonly sequence: bigint
  readonly balanceStroops: bigint
  /** What the account has outside of its own entries. */
  readonly held: ReadonlyArray<Held>
  /** Positions of so few shares that a pool may pay nothing for them, or with nothing but rewards, by id. */
  readonly dust: ReadonlySet<string>
  /** Balances of classic assets in base units, by the id of the asset's decision: by the witness, without one as the service says. */
  readonly balances: ReadonlyMap<string, bigint>
  /** The contracts that positions lie in, with the code that they run by the witness's contract RPC; none without one. */
  readonly seen: ReadonlyArray<SeenContract>
  /** The same as the service says where no contract RPC proves it. Nothing is signed for it. */
  readonly claimed: ReadonlyArray<SeenContract>
}

type Row = AccountState["defiPositions"]["positions"][number]

const tokensOf = (row: Row): ReadonlyArray<string> => ("tokens" in row ? row.tokens ?? [] : [])

/** Contracts that a row names beside the one that holds the position. */
const contractsOf = (row: Row): ReadonlyArray<string> => [
  row.contractAddress,
  ...("shareToken" in row && row.shareToken !== undefined ? [row.shareToken] : [])
]

/** Rows of one position, as one. Tokens are no more than a hint: the verifier proves by them where a pool is. */
const positionsIn = (rows: ReadonlyArray<Row>): ReadonlyArray<Held> =>
  Object.entries(Arr.groupBy(rows, ({ positionId }) => positionId)).map(([id, same]) => ({
    id,
    owes: same.flatMap((row) => (row.positionType === "borrow" ? [row.assetAddress] : [])),
    contracts: [...new Set(same.flatMap(contractsOf))],
    tokens: [...new Set(same.flatMap(tokensOf))]
  }))

const heldIn = ({ claimableBalances, contractTokens, defiPositions }: AccountState): ReadonlyArray<Held> => [
  ...claimableBalances.map(({ amount, asset, id }) => ({ id: `claim:${id}`, asset, amount })),
  ...positionsIn(defiPositions.positions),
  ...(contractTokens?.tokens ?? []).filter(({ balance }) => balance !== "0").map(({ balance, contract }) => ({
    id: `token:${contract}`,
    amount: BigInt(balance)
  }))
]

/**
 * What the service and the caller's own witness show, without balances that can never be claimed any more. Of what both show, the witness
 * counts. A source that says that a balance's time is over is believed only where the other says so too.
 */
const heldAt = (
  now: number,
  { source }: Pick<CloseSettings, "source">,
  state: AccountState,
  witnessed: ReadonlyArray<WitnessedClaim>
): ReadonlyArray<Held> => {
  const known = witnessed.map(({ amount, asset, id }) => ({ id: `claim:${id}`, asset, amount }))
  const all = new Map<string, Held>([...heldIn(state), ...known].map((one) => [one.id, one]))
  const claims = [...witnessed, ...state.claimableBalances]
  const open = new Set(claims.filter(({ claimants }) => mayEverBeClaimed(claimants, source, now)).map(({ id }) => `claim:${id}`))
  return [...all.values()].filter(({ id }) => !id.startsWith("claim:") || open.has(id))
}

const contractShape = /C[A-Z2-7]{55}/g

const claimedIn = (rows: ReadonlyArray<Row>): ReadonlyArray<SeenContract> => [
  ...new Map(
    rows.flatMap(({ contractAddress: contract, wasmHash }) => wasmHash === undefined ? [] : [[contract, { contract, wasmHash }] as const])
  ).values()
]

/** The code of each contract that the rows name: proved by the witness's contract RPC, else as the service says. */
const codeIn = (rows: ReadonlyArray<Row>, rpcUrl: string | undefined) => {
  if (rpcUrl === undefined) return Effect.succeed<Pick<AccountView, "seen" | "claimed">>({ seen: [], claimed: claimedIn(rows) })
  const named = [...new Set(rows.flatMap((row) => [row.contractAddress, ...(row.positionId.match(contractShape) ?? [])]))]
  return Effect.map(witnessedCode(rpcUrl, named), (code): Pick<AccountView, "seen" | "claimed"> => ({
    seen: [...code].map(([contract, wasmHash]) => ({ contract, wasmHash })),
    claimed: []
  }))
}

/** Whether service and witness show the account alike. Balances may differ: strangers can pay in. */
const agrees = ({ numSubEntries, sequence }: AccountState, own: WitnessedAccount | null): boolean =>
  own !== null && own.subEntries === numSubEntries && own.sequence === BigInt(sequence)

/** The account's own entry as the service says. */
const entryByService = ({ nativeBalanceLumens, sequence, trustlines }: AccountState) => ({
  sequence: BigInt(sequence),
  balanceStroops: nativeBalanceLumens,
  balances: new Map(trustlines.map(({ balance, code, issuer }) => [`asset:${code}-${issuer}`, balance]))
})

/** The account as the service reads it, and where the caller has a witness, by that. */
export const accountView = (
  { contracts, network, source, witness }: CloseSettings,
  /** The sequence number that the close itself used last; an older reading is of no use. */
  usedSequence: bigint
): Effect.Effect<AccountView, CallFailed | UnknownPosition | WitnessUnavailable, Service | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { account } = yield* Service
    const state = yield* called(account.read({ path: { network, address: AccountAddress.make(source) }, urlParams: {} }))
    const stranger = state.defiPositions.positions.find(({ protocol }) =>
      isOutside(protocol) && contracts.protocols[protocol] === undefined
    )
    if (stranger !== undefined) {
      return yield* new UnknownPosition({ protocol: stranger.protocol, positionId: stranger.positionId })
    }
    const own = witness === undefined ? null : yield* witnessedAccount(witness, source, state.trustlines)
    if (witness !== undefined && !agrees(state, own)) {
      const failure = new SourcesDisagree({ about: source })
      return yield* new CallFailed({ failure, retry: "after_delay", retryAfterSeconds: null })
    }
    const claims = witness === undefined ? [] : yield* witnessedClaims(witness, source)
    const now = yield* unixTime
    const view: AccountView = {
      ...(own === null ? entryByService(state) : { ...own, balances: own.lines }),
      held: heldAt(now, { source }, state, claims),
      dust: dustIn(state.defiPositions.positions),
      ...(yield* codeIn(state.defiPositions.positions, witness?.rpcUrl))
    }
    if (view.sequence < usedSequence) {
      const failure = new ContractRpcLagging({ behind: null, ageSeconds: null })
      return yield* new CallFailed({ failure, retry: "after_delay", retryAfterSeconds: null })
    }
    return view
  })
