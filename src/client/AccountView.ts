import type { HttpClient } from "@effect/platform"
import { Effect } from "effect"
import type { AccountState } from "../domain/Account.ts"
import { AccountAddress } from "../domain/Address.ts"
import { ContractRpcLagging } from "../domain/failure/Upstream.ts"
import { isOutside } from "../domain/ProtocolName.ts"
import type { ContractBook, Held } from "../operations/Expected.ts"
import { UnknownPosition, type WitnessUnavailable } from "./ClientFailure.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import { called, CallFailed, Service } from "./ServiceClient.ts"
import { witnessedAccount, witnessedClaims } from "./Witness.ts"

/** What the client knows of the account, beside the envelope that it is to judge. */
export interface AccountView {
  readonly sequence: bigint
  readonly balanceStroops: bigint
  /** Sub-entries by the witness; null without one. */
  readonly subEntries: number | null
  /** What the account has outside of its own entries. */
  readonly held: ReadonlyArray<Held>
  /** Balances of classic assets in base units, by the id of the asset's decision. */
  readonly balances: ReadonlyMap<string, bigint>
  /** The two tokens of each pool that the account has a share of. */
  readonly pairs: ContractBook["pairs"]
}

type Row = AccountState["defiPositions"]["positions"][number]

const tokensOf = (row: Row): ReadonlyArray<string> => ("tokens" in row ? row.tokens ?? [] : [])

/** Contracts that a row names beside the one that holds the position. */
const contractsOf = (row: Row): ReadonlyArray<string> => [
  row.contractAddress,
  ...("shareToken" in row && row.shareToken !== undefined ? [row.shareToken] : [])
]

/** Rows of one position, as one. */
const positionsIn = (rows: ReadonlyArray<Row>): ReadonlyArray<Held> =>
  [...Map.groupBy(rows, ({ positionId }) => positionId)].map(([id, alike]) => ({
    id,
    owes: alike.flatMap((row) => (row.positionType === "borrow" ? [row.assetAddress] : [])),
    contracts: [...new Set(alike.flatMap(contractsOf))]
  }))

const heldIn = ({ claimableBalances, contractTokens, defiPositions }: AccountState): ReadonlyArray<Held> => [
  ...claimableBalances.map(({ asset, id }) => ({ id: `claim:${id}`, asset })),
  ...positionsIn(defiPositions.positions),
  ...(contractTokens?.tokens ?? []).filter(({ balance }) => balance !== "0").map(({ contract }) => ({ id: `token:${contract}` }))
]

const pairsIn = (rows: ReadonlyArray<Row>): ContractBook["pairs"] =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const [first, second, ...more] = tokensOf(row)
      return first === undefined || second === undefined || more.length > 0 ? [] : [[row.contractAddress, [first, second] as const]]
    })
  )

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
    const own = witness === undefined ? null : yield* witnessedAccount(witness, source)
    const claims = witness === undefined ? [] : yield* witnessedClaims(witness, source)
    const view: AccountView = {
      sequence: own?.sequence ?? BigInt(state.sequence),
      balanceStroops: own?.balanceStroops ?? state.nativeBalanceLumens,
      subEntries: own?.subEntries ?? null,
      held: [...new Map([...claims.map((id) => ({ id: `claim:${id}` })), ...heldIn(state)].map((one) => [one.id, one])).values()],
      balances: new Map(state.trustlines.map(({ balance, code, issuer }) => [`asset:${code}-${issuer}`, balance])),
      pairs: pairsIn(state.defiPositions.positions)
    }
    if (view.sequence < usedSequence) {
      const failure = new ContractRpcLagging({ behind: null, ageSeconds: null })
      return yield* new CallFailed({ failure, retry: "after_delay", retryAfterSeconds: null })
    }
    return view
  })
