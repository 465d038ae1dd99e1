import { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { ContractAddress } from "../../../src/domain/Address.ts"
import { amm3 } from "../../../src/protocols/Amm3.ts"
import { poolCode } from "../../../src/protocols/amm3/Code.ts"
import { Contracts } from "../../../src/protocols/amm3/Entries.ts"
import { rewardTokens } from "../../../src/protocols/amm3/Keys.ts"
import { poolPart } from "../../../src/protocols/amm3/PoolPart.ts"
import { partsIn } from "../../../src/protocols/amm3/PoolParts.ts"
import { type LedgerView, valueIn } from "../../../src/protocols/kit/LedgerView.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import { WasmHash } from "../../../src/registry/ContractAddresses.ts"
import type { recorded } from "./Recorded.ts"
import { instanceVal, written } from "./Written.ts"

export const scValOf = (text: string): xdr.ScVal => xdr.ScVal.fromXdr(text, "base64")

const hashes = (first: string, ...others: ReadonlyArray<string>) =>
  [WasmHash.make(first), ...others.map((text) => WasmHash.make(text))] as const

/** Every recording of amm_3, by kind. */
export const amm3Code = {
  factory: hashes("721badb85470a81d9d0a1c72dd0debb37f5f268419d4b94d125e546cc32d350e"),
  fiveArgumentPool: hashes("14ed2bb1a025c22bcc730ffc9da3f5aa9f7c653f4be402812c32f249e20dee01"),
  sixArgumentPool: hashes(
    "7b8e336f2b6d855b45e7484f3435f4348efb82fe16ff570bd2790bf56b78ebb3",
    "1cd5fdafe3c70d9d062b4c75154b5a9d6309eea9f7b9a32fcf6692cf4e8bf669"
  ),
  shareToken: hashes(
    "255e57de9a1a43a672c9499354cd0bb7f99c29a407938ffa4117f443fcf90272",
    "c9fe635e9f7e12865a1e94632aab5e5f9a546e83ae3e01d28faecad23f684da3"
  ),
  historyStake: hashes("a27578aaeb9c1d1686b42d48c211436e977d7bf4f57dafca00c03af58984eee1"),
  pointsStake: hashes("20dde039aace7e15573a8e34fc131eb5fadebefe2bfcbfee4de8a3dd42179e5d")
}

type Recording = ReturnType<typeof recorded>

/** The tokens that a stake pays in some state. */
const rewardTokensIn = (states: ReadonlyArray<LedgerView>, stake: ContractAddress | undefined): ReadonlyArray<ContractAddress> =>
  stake === undefined ?
    [] :
    states.flatMap((view) => Either.getOrElse(valueIn(view, stake, rewardTokens, Contracts), () => null) ?? []).slice(0, 1)

/**
 * The decoder over all or the named pools of a recording. Those that its factory lists in some state are found as the decoder finds them;
 * others were set up by hand.
 */
export const amm3Over = (recording: Recording, ...names: ReadonlyArray<string>): { readonly protocol: Protocol } => {
  const { discovery, ...protocol } = amm3({ factories: [recording.contract("factory")], code: amm3Code, byInterface: false })
  const states = Object.keys(recording.states).map((name) => recording.view(name))
  const listed = states.flatMap((view) => discovery?.find(view, []).places ?? [])
  const placeOf = poolPart(poolCode(amm3Code, false))
  const byHand = ["pool6args", "poolC"].flatMap((name) => {
    const contract = recording.contracts[name]?.address
    const parts = contract === undefined ? [] : states.flatMap((view) =>
      Either.match(partsIn(view, contract), {
        onLeft: () => [],
        onRight: (one) => [one]
      })
    )
    return contract === undefined
      ? []
      : [placeOf({ contract, parts: parts[0] ?? null, rewardTokens: rewardTokensIn(states, parts[0]?.stake) })]
  })
  const places = [...new Map([...listed, ...byHand].map((place) => [place.contract, place] as const)).values()]
  const wanted = names.map((name) => recording.contract(name))
  return { protocol: { ...protocol, places: places.filter(({ contract }) => wanted.length === 0 || wanted.includes(contract)) } }
}

/** A value of another, with one field of it changed. */
export const fieldChanged = (name: string, value: xdr.ScVal) => (before: xdr.ScVal): xdr.ScVal =>
  before.type !== "scvMap"
    ? before
    : xdr.ScVal.scvMap((before.map ?? []).map(({ key, val }) => {
      const isIt = key.type === "scvSymbol" && key.sym.toString() === name
      return new xdr.ScMapEntry({ key, val: isIt ? value : val })
    }))

/** A recorded state with other values in some contract entries, by their labels. */
export const changedView = (
  recording: Recording,
  state: string,
  changes: Readonly<Record<string, (before: xdr.ScVal) => xdr.ScVal>>
): LedgerView =>
  recording.view(
    state,
    Object.fromEntries(
      Object.entries(changes).map(([label, change]) => {
        const entry = recording.states[state]?.entries.find((one) => one.label === label)
        const data = entry === undefined ? null : xdr.LedgerEntryData.fromXdr(entry.xdr, "base64")
        if (entry === undefined || data?.type !== "contractData") throw new Error(`no contract data ${label}`)
        return [label, { data: written(xdr.LedgerKey.fromXdr(entry.key, "base64"), change(data.contractData.val)) }]
      })
    )
  )

/** A recorded state in which a contract runs unlisted code. */
export const runningOther = (recording: Recording, state: string, name: string, hash = "ab".repeat(32)): LedgerView =>
  changedView(recording, state, {
    [`${name} instance`]: (value) =>
      value.type === "scvContractInstance"
        ? instanceVal(hash, (value.instance.storage ?? []).map(({ key, val }) => [key, val]))
        : value
  })
