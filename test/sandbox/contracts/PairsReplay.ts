import { assert } from "@effect/vitest"
import { StrKey, xdr } from "@stellar/stellar-sdk"
import { newAccount } from "../../../src/ledger/entries/Account.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { ttlEntry } from "../../../src/ledger/soroban/Life.ts"
import { addressOf, i128, u32 } from "../../../src/ledger/soroban/Values.ts"
import { codeEntries, dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { type Invocation, readReplayed, type ReplayedCall, type ReplayedRecording } from "./CallReplay.ts"

const far = 70_000_000

export const pairsRecordings = ["amm_2", "amm_2_more"].map((name) => ({ name, recording: readReplayed(name) }))

/** A recorded state as a ledger, with the code and the payer, which the recording omits. */
export const ledgerOf = (recording: ReplayedRecording, name: string): LedgerState => {
  const state = recording.states[name] ?? assert.fail(`no state ${name}`)
  const payer = recording.accounts["payer"]
  const header = {
    ledgerVersion: 28,
    ledgerSeq: state.ledger,
    closeTime: BigInt(state.closeTime),
    baseFee: 100,
    baseReserve: 5_000_000,
    idPool: 0n,
    flags: 0
  }
  return LedgerState.make(header, [
    ...(payer === undefined
      ? []
      : [
        newEntry(
          xdr.LedgerEntryData.account(
            newAccount(xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(payer)), 1_000_000_000n, 0n)
          )
        )
      ]),
    ...Object.values(recording.contracts).flatMap(({ wasmHash }) => (wasmHash === "stellarAsset" ? [] : codeEntries(wasmHash, far))),
    ...state.entries.flatMap(({ key, liveUntilLedgerSeq, xdr: data }) => [
      newEntry(xdr.LedgerEntryData.fromXdr(data, "base64")),
      ...(liveUntilLedgerSeq === undefined ? [] : [ttlEntry(xdr.LedgerKey.fromXdr(key, "base64"), liveUntilLedgerSeq)])
    ])
  ])
}

/** The state of the USDC trustline that a note describes. */
const trustlines: Readonly<Record<string, (line: xdr.TrustLineEntry) => Partial<Pick<xdr.TrustLineEntry, "flags" | "limit">>>> = {
  "the USDC trustline had only AUTHORIZED_TO_MAINTAIN_LIABILITIES for this call": () => ({ flags: 2 }),
  "the limit of the USDC trustline was its balance for this call": ({ balance }) => ({ limit: balance })
}

const withLine = (state: LedgerState, change: (line: xdr.TrustLineEntry) => Partial<Pick<xdr.TrustLineEntry, "flags" | "limit">>) => {
  const entries = Array.from(state.entries()).flatMap(({ data }) => {
    if (data.type !== "trustline" || !JSON.stringify(data.trustLine.asset.toJson()).includes("\"USDC\"")) return []
    const { accountId, asset, balance, ext, flags, limit } = data.trustLine
    return [
      newEntry(
        xdr.LedgerEntryData.trustline(
          new xdr.TrustLineEntry({ accountId, asset, balance, ext, flags, limit, ...change(data.trustLine) })
        )
      )
    ]
  })
  assert.strictEqual(entries.length, 1)
  return state.set(entries)
}

/**
 * The ledger of a recorded call. After other events since its state, the account has the call's shares again, from the other provider. Its
 * trustline is as the call's note says.
 */
export const ledgerBefore = (recording: ReplayedRecording, call: ReplayedCall): LedgerState => {
  const base = ledgerOf(recording, call.state)
  if (call.stateExact) return base
  const pair = addressOf(recording.contracts["pairXlmUsdc"]?.address ?? assert.fail("no pair"))
  const shares = call.function === "remove_liquidity" ? xdr.ScVal.fromXdr(call.args[2] ?? "", "base64") : i128(1n)
  const key = tokenBalanceKey(addressOf(recording.user))
  assert(base.get(keyOfContractData(pair, key, "persistent")) !== undefined, "the account holds shares")
  const change = trustlines[call.note ?? ""]
  const state = base.set(dataEntries(pair, [key, shares], "persistent", far))
  return change === undefined ? state : withLine(state, change)
}

/** One argument of a getter as in the recording: a name, or a number of the function's type. */
const argumentOf = ({ accounts, contracts }: ReplayedRecording, text: string, asNumber: (value: bigint) => xdr.ScVal): xdr.ScVal =>
  /^\d+$/.test(text)
    ? asNumber(BigInt(text))
    : xdr.ScVal.scvAddress(addressOf(contracts[text]?.address ?? accounts[text] ?? assert.fail(`nobody is called ${text}`)))

/** A getter, or a dry run of a removal, as a call. */
export const getterOf = (recording: ReplayedRecording, getter: string): Invocation => {
  const [, contract = "", fn = "", list = ""] = /^(?:dry run of )?(\w+)\.(\w+)\((.*)\)$/.exec(getter) ?? []
  const texts = list.split(", ").filter((each) => each !== "")
  const args = texts.map((text, at) => {
    if (fn !== "remove_liquidity") return argumentOf(recording, text, (value) => u32(Number(value)))
    return argumentOf(recording, text, at === texts.length - 1 ? xdr.ScVal.scvU64 : i128)
  })
  const { address } = recording.contracts[contract] ?? assert.fail(getter)
  return { contract: address, function: fn, source: recording.user, args }
}
