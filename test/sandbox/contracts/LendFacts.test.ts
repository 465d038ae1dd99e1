import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { addressOf, i128, struct, u32, variant, vec } from "../../../src/ledger/soroban/Values.ts"
import { type Invocation, ledgerOf, readReplayed, type ReplayedRecording, simulate, type Transfer } from "./CallReplay.ts"

const recordings = ["lend_1", "lend_1_backstop", "lend_1_v1"]

/** More than any account has: the pool cuts such a withdrawal to the position. */
const everything = (1n << 63n) - 1n

const addressNamed = ({ accounts, contracts }: ReplayedRecording, name: string): xdr.ScVal =>
  xdr.ScVal.scvAddress(addressOf(contracts[name]?.address ?? accounts[name] ?? assert.fail(`nobody is called ${name}`)))

const contractNamed = ({ contracts }: ReplayedRecording, name: string): string =>
  contracts[name]?.address ?? assert.fail(`no contract ${name}`)

const run = (recording: ReplayedRecording, state: string, invocation: Invocation) => {
  const simulated = simulate(recording, ledgerOf(recording, state), invocation)
  return simulated._tag === "SimulatedCall"
    ? { answer: simulated.returnValue.toXdr("base64"), events: simulated.events }
    : { answer: simulated.error.code, events: [] }
}

/** A getter of a recording as a call, with names for addresses. */
const getterOf = (recording: ReplayedRecording, getter: string): Invocation | undefined => {
  const [, contract, fn, list] = /^(\w+)\.(\w+)\((.*)\)$/.exec(getter) ?? []
  if (contract === undefined || fn === undefined || list === undefined) return undefined
  const [, priced] = /^\["Stellar","(\w+)"\]$/.exec(list) ?? []
  const args = priced !== undefined
    ? [variant("Stellar", addressNamed(recording, priced))]
    : list.split(", ").filter((each) => each !== "").map((each) => (/^\d+$/.test(each) ? u32(Number(each)) : addressNamed(recording, each)))
  return { contract: contractNamed(recording, contract), function: fn, source: recording.user, args }
}

const submission = (
  recording: ReplayedRecording,
  pool: string,
  ...requests: ReadonlyArray<readonly [asset: string, amount: bigint, type: number]>
): Invocation => {
  const user = addressNamed(recording, "user")
  const values = requests.map(([asset, amount, type]) =>
    struct({ address: addressNamed(recording, asset), amount: i128(amount), request_type: u32(type) })
  )
  return { contract: contractNamed(recording, pool), function: "submit", source: recording.user, args: [user, user, user, vec(...values)] }
}

interface Fact {
  readonly recording: ReplayedRecording
  readonly pool: string
  readonly state: string
  readonly name: string
  readonly getter: string
  readonly wanted: string | undefined
}

/** The origins of facts, each with a check that the models agree; it gives false for facts of other kinds. */
const witnesses: Readonly<Record<string, (fact: Fact) => boolean>> = {
  "an answer of a getter": ({ getter, name, recording, state, wanted }) => {
    const invocation = getterOf(recording, getter)
    if (invocation === undefined) return false
    assert.strictEqual(run(recording, state, invocation).answer, wanted, name)
    return true
  },
  "the most that is accepted": ({ getter, name, pool, recording, state }) => {
    const [, kind, asset] = /^largest amount a (borrow|withdraw-collateral) request of (\w+) is accepted for/.exec(getter) ?? []
    if (kind === undefined || asset === undefined) return false
    const most = BigInt(String(recording.valueOf(state, name)))
    const answers = [most, most + 1n].map((amount) =>
      run(recording, state, submission(recording, pool, [asset, amount, kind === "borrow" ? 4 : 3])).answer
    )
    assert.notMatch(answers[0] ?? "", /^Error/, name)
    assert.strictEqual(answers[1], "Error(Contract, #1205)", name)
    return true
  },
  "a claim from the pool": ({ getter, name, recording, state }) => {
    const [, pool, ids] = /^dry run of (\w+)\.claim\(user, \[([\d,]+)\], user\)$/.exec(getter) ?? []
    if (pool === undefined || ids === undefined) return false
    const user = addressNamed(recording, "user")
    const args = [user, vec(...ids.split(",").map((id) => u32(Number(id)))), user]
    const { answer } = run(recording, state, { contract: contractNamed(recording, pool), function: "claim", source: recording.user, args })
    assert.strictEqual(answer, i128(BigInt(String(recording.valueOf(state, name)))).toXdr("base64"), name)
    return true
  },
  "a claim from the backstop": ({ getter, name, recording, state }) => {
    if (getter !== "dry run of backstop.claim(user, [\"pool\"], 0)") return false
    const args = [addressNamed(recording, "user"), vec(addressNamed(recording, "pool")), i128(0n)]
    const { answer } = run(recording, state, {
      contract: contractNamed(recording, "backstop"),
      function: "claim",
      source: recording.user,
      args
    })
    assert.strictEqual(answer, i128(BigInt(String(recording.valueOf(state, name)))).toXdr("base64"), name)
    return true
  },
  "what a submit moves": ({ getter, name, pool, recording, state }) => {
    if (!getter.startsWith("token transfers in a dry run of")) return false
    const wanted = recording.transfersOf(state, name)
    const requests = wanted.length === 1
      ? [["usdc", everything, 1] as const]
      : [["eurc", BigInt(wanted[0]?.amount ?? 0), 5] as const, ["xlm", everything, 3] as const, ["usdc", everything, 1] as const]
    const { answer, events } = run(recording, state, submission(recording, pool, ...requests))
    assert.notMatch(answer, /^Error/, name)
    assert.deepStrictEqual(events.flatMap((event) => transferOf(recording, event)), [...wanted], name)
    return true
  }
}

const transferOf = (recording: ReplayedRecording, { body, contractId }: xdr.ContractEvent): ReadonlyArray<Transfer> => {
  const [topic, from] = body.v0.topics
  if (topic?.type !== "scvSymbol" || String(topic.sym) !== "transfer" || body.v0.data.type !== "scvI128") return []
  const isOut = from?.toXdr("base64") === addressNamed(recording, "user").toXdr("base64")
  const [token] = Object.entries(recording.contracts).find(([, { address }]) =>
    addressOf(address).toXdr("base64") ===
      (contractId === null ? "" : xdr.ScAddress.scAddressTypeContract(contractId).toXdr("base64"))
  ) ?? []
  return token === undefined ? [] : [{ token, direction: isOut ? "out" : "in", amount: String(body.v0.data.i128.lo) }]
}

for (const file of recordings) {
  const recording = readReplayed(file)
  const pool = file === "lend_1_v1" ? "poolV1" : "pool"

  describe(file, () => {
    for (const [state, { expected }] of Object.entries(recording.states)) {
      it(state, () => {
        const facts = Object.entries(expected).map(([name, { error, getter, xdr: wanted }]): Fact => ({
          recording,
          pool,
          state,
          name,
          getter,
          wanted: wanted ?? error
        }))
        assert.isNotEmpty(facts)
        for (const fact of facts) assert.isTrue(Object.values(witnesses).some((witness) => witness(fact)), `${fact.name}: ${fact.getter}`)
      })
    }
  })
}
