import { assert } from "@effect/vitest"
import type { PlannedExit } from "../../../src/close/situation/PlannedExit.ts"
import { noClaims } from "../../../src/close/situation/RewardJudge.ts"
import type { Situation } from "../../../src/close/situation/Situation.ts"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { AssetId } from "../../../src/domain/Asset.ts"
import type { Decision } from "../../../src/domain/Decision.ts"
import type { RegistryEntry } from "../../../src/domain/RegistryDocument.ts"
import type { HeldPosition } from "../../../src/protocols/ProtocolRegistry.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { situationOf } from "../../deep/support/ModelSituation.ts"
import { assetOf } from "../../ledger/support/Bodies.ts"
import { World } from "../../ledger/support/World.ts"
import { leave, pool } from "../leaving/support/Simulating.ts"

type Fees = Parameters<typeof situationOf>[3]

/** A ledger on which an account is closed into another one; a maker and an issuer are there too. */
export const smallClose = () => {
  const world = new World()
  const [source, destination, maker, issuer] = [world.account(), world.account(), world.account(), world.account()]
  const usd = assetOf(issuer)
  const cast = { source, destination, heir: maker, patron: maker, ward: maker, issuer, assets: [], signers: [source] }
  const address = (pair: typeof source) => AccountAddress.make(pair.publicKey())
  return {
    world,
    source,
    destination,
    maker,
    issuer,
    usd,
    address: address(source),
    to: address(destination),
    usdId: AssetId.make(`USD:${issuer.publicKey()}`),
    /** The owner's word that the destination is its own. */
    own: { id: `destination:${destination.publicKey()}`, choice: "i_control_this_address" } satisfies Decision,
    /** The close as the ledger is now, with these answers. */
    situation: (answers: ReadonlyArray<Decision> = [], fees: Partial<Fees> = {}): Situation =>
      situationOf(world.state, cast, new Map(answers.map((answer) => [answer.id, answer])), { feePayer: "source", ...fees }) ??
        assert.fail("the account is gone")
  }
}

/** A position that its owner leaves by one call, which pays nothing and is not simulated yet. */
export const exitOf = (
  { position, ...more }: Partial<Omit<PlannedExit, "position">> & { readonly position?: Partial<HeldPosition> } = {}
): PlannedExit => ({
  id: `position:amm_1:${pool}:shares`,
  position: { protocol: "amm_1", contract: pool, key: "shares", rows: [], pays: [], owes: [], givenUnder: null, ...position },
  answer: undefined,
  exit: { _tag: "Calls", calls: [leave], unlocksAt: null },
  claims: noClaims,
  simulation: null,
  lastClaims: new Map(),
  foreseen: [],
  ...more
})

/** A close whose destination credits payments only and asks for a memo, which it has; the maker's account is the mediator. */
export const throughMediator = ({ maker, situation, to }: ReturnType<typeof smallClose>, more: Partial<Fees> = {}): Situation => {
  const found = situation([], more)
  const destination = found.destination ?? assert.fail("no destination")
  const listing: RegistryEntry = {
    address: to,
    name: "Exchange",
    domain: "exchange.example",
    requiresMediator: true,
    requiresMemo: true,
    memoType: "text"
  }
  return {
    ...found,
    input: { ...found.input, memo: { type: "text", value: "42" } },
    destination: { ...destination, listing },
    mediator: {
      address: AccountAddress.make(maker.publicKey()),
      entry: found.ledgerState.get(accountKey(maker.publicKey())) ?? null,
      maxFloat: 100_000n * 10_000_000n,
      isPaused: false
    }
  }
}
