import { Keypair } from "@stellar/stellar-sdk"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { cdp1 } from "../../../src/protocols/Cdp1.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { lend1 } from "../../../src/protocols/Lend1.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import { WasmHash } from "../../../src/registry/ContractAddresses.ts"
import { contractDataKey, instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { account, contract, i128, symbol, variant } from "../../../src/stellar/ScValCodec.ts"
import { jars } from "../../outside/package/Jar.ts"
import { ammLedgerOf } from "../../sandbox/contracts/Amm1Replay.ts"
import { anyContract } from "../../support/Addresses.ts"
import { decoderOf, pairsRecorded, withPairs } from "../amm2/RecordedPairs.ts"
import { amm1Of, contractNamed, foundOn, recordedAmm1, viewOver } from "./Amm1Ledger.ts"
import { amm3Over } from "./Amm3Ledgers.ts"
import { recorded } from "./Recorded.ts"
import { instanceVal, ledgerWith } from "./Written.ts"

/** A protocol, with ledgers on which an account has no position in it, has one, and has left it. */
export interface Case {
  readonly name: string
  readonly protocol: Protocol
  readonly user: AccountAddress
  readonly nothing: LedgerView
  /** A view that answers every question about the holdings. */
  readonly held: LedgerView
  readonly emptied: LedgerView
}

const v2 = recorded("lend_1")
const v1 = recorded("lend_1_v1")
const backstop = recorded("lend_1_backstop")
const vaults = recorded("cdp_1")

/** One pool of a recording of amm_1, as its router lists it. */
const amm1Case = (name: string, file: string, pool: string, [nothing, held, emptied]: readonly [string, string, string]): Case => {
  const recording = recordedAmm1(file)
  const view = (state: string) => viewOver(recording, ammLedgerOf(recording, state))
  const { contracts, discovery: _, places, ...protocol } = foundOn(
    amm1Of(recording, { routers: [contractNamed(recording, "router")] }),
    view(held)
  )
  const own = contractNamed(recording, pool)
  return {
    name: `amm_1 ${name}`,
    protocol: { ...protocol, contracts: [...contracts, own], places: places.filter(({ contract }) => contract === own) },
    user: AccountAddress.make(recording.user),
    nothing: view(nothing),
    held: view(held),
    emptied: view(emptied)
  }
}

const pairs = pairsRecorded("amm_2")
const morePairs = pairsRecorded("amm_2_more")
const staked = recorded("amm_3")
const twoPools = recorded("amm_3_more")
const hash = (recording: typeof v2, name: string) => [WasmHash.make(recording.contracts[name]?.wasmHash ?? "")] as const

const owner = AccountAddress.make(Keypair.random().publicKey())
const [jar, token, jarCode] = [anyContract(), anyContract(), "ab".repeat(32)]

/** The example of docs/protocols.md, with entries made here instead of recorded ones. */
const jarHolding = (...shares: ReadonlyArray<bigint>): LedgerView =>
  ledgerWith([
    [instanceKey(jar), instanceVal(jarCode, [[symbol.encode("Token"), contract.encode(token)]])],
    ...shares.map((held) => [contractDataKey(jar, variant("Share", account.encode(owner))), i128.encode(held)] as const)
  ])

/** The same protocol with only the places in these contracts. */
const only = (protocol: Protocol, recording: typeof v2, ...names: ReadonlyArray<string>): Protocol => {
  const wanted = new Set<string>(names.map((name) => recording.contract(name)))
  return { ...protocol, places: protocol.places.filter(({ contract }) => wanted.has(contract)) }
}

/** Cases for the rules that every decoder must keep (`Contract.test.ts`): at least one for each protocol of `All.ts`. */
export const cases: ReadonlyArray<Case> = [
  {
    name: "lend_1 pool v2",
    protocol: lend1({ pools: [v2.contract("pool")], backstops: [], comets: [], factories: [], code: { poolV2: hash(v2, "pool") } }),
    user: v2.user,
    nothing: v2.view("none"),
    held: v2.view("interest3d"),
    emptied: v2.view("emptied")
  },
  {
    name: "lend_1 pool v1",
    protocol: lend1({ pools: [v1.contract("poolV1")], backstops: [], comets: [], factories: [], code: { poolV1: hash(v1, "poolV1") } }),
    user: v1.user,
    nothing: v1.view("v1None"),
    held: v1.view("v1Interest3d"),
    emptied: v1.view("v1Emptied")
  },
  {
    name: "lend_1 backstop",
    protocol: lend1({
      pools: [backstop.contract("pool")],
      backstops: [backstop.contract("backstop")],
      comets: [backstop.contract("comet")],
      factories: [],
      code: { poolV2: hash(backstop, "pool"), backstopV2: hash(backstop, "backstop"), backstopToken: hash(backstop, "comet") }
    }),
    user: backstop.user,
    nothing: backstop.view("backstopNone", { "comet Balance(user)": null }),
    held: backstop.view("backstopPartlyWithdrawn"),
    // Only rewards of another claim are left; without them the deposit is empty.
    emptied: backstop.view("cometEmptied", {
      "backstop UEmisData({\"pool\":\"pool\",\"user\":\"user\"})": null,
      "backstop BEmisData(pool)": null
    })
  },
  {
    name: "cdp_1",
    protocol: cdp1({
      vaults: [vaults.contract("vaults")],
      lockingPools: [],
      code: new Map([[vaults.contracts["vaults"]?.wasmHash ?? "", "vaults"]])
    }),
    user: vaults.user,
    nothing: vaults.view("none"),
    held: vaults.view("open"),
    emptied: vaults.view("emptied")
  },
  {
    name: "amm_2",
    // Only the pair with a holding: of the others the decoder reads only the balance.
    protocol: only(withPairs(decoderOf(pairs), pairs.view("deposited")), pairs, "pairXlmUsdc", "factory"),
    user: pairs.user,
    nothing: pairs.view("none"),
    held: pairs.view("deposited"),
    emptied: pairs.view("firstRemoved")
  },
  {
    name: "amm_2, a part of the fees goes to the factory",
    protocol: only(withPairs(decoderOf(morePairs), morePairs.view("feesEnabled")), morePairs, "pairXlmUsdc", "factory"),
    user: morePairs.user,
    nothing: morePairs.view("feesEnabled", { "pairXlmUsdc Balance(user)": null }),
    held: morePairs.view("feesEnabled"),
    emptied: morePairs.view("soleProvider")
  },
  {
    name: "amm_3 with shares alone",
    protocol: amm3Over(staked, "pool").protocol,
    user: staked.user,
    nothing: staked.view("none"),
    held: staked.view("sharesOnly"),
    emptied: staked.view("emptied")
  },
  {
    name: "amm_3 with stakes in two pools",
    protocol: amm3Over(twoPools, "pool", "pool2").protocol,
    user: twoPools.user,
    nothing: twoPools.view("twoPoolsNone"),
    held: twoPools.view("twoPoolsStaked"),
    emptied: twoPools.view("twoPoolsEmptied")
  },
  {
    name: "amm_3, stable pool of the six argument generation",
    protocol: amm3Over(staked, "pool6args").protocol,
    user: staked.user,
    nothing: staked.view("none"),
    held: staked.view("sixArgStaked"),
    emptied: staked.view("sixArgEmptied")
  },
  {
    name: "amm_3, stake of the six argument generation",
    protocol: amm3Over(twoPools, "poolC").protocol,
    user: twoPools.user,
    nothing: twoPools.view("twoPoolsNone"),
    held: twoPools.view("generationCStaked"),
    emptied: twoPools.view("generationCEmptied")
  },
  {
    name: "the example of docs/protocols.md",
    protocol: jars([jar], new Map([[jarCode, "jar"]])),
    user: owner,
    nothing: jarHolding(),
    held: jarHolding(700n),
    emptied: jarHolding(0n)
  },
  amm1Case("constant product pool", "amm_1", "cpPool", ["cpNone", "cpRewarded", "cpEmptied"]),
  amm1Case("stable pool", "amm_1_stable", "stablePool", ["stableNone", "stableDeposited", "stableEmptied"]),
  amm1Case("stable pool of three tokens with rewards", "amm_1_more", "stable3", ["allNone", "allHeld", "allEmptied"]),
  amm1Case("concentrated pool", "amm_1_concentrated", "clPool", ["clNone", "clDeposited", "clEmptied"])
]
