import { Address, xdr } from "@stellar/stellar-sdk"
import { symbol } from "../../../../src/ledger/soroban/Values.ts"
import { keyOfContractData } from "../../../../src/xdr/LedgerKeys.ts"
import type { Lie, SimulationText } from "./LyingRpc.ts"
import { UPGRADED_HASH } from "./ToyPool.ts"

/** A field of a simulation result, and ways to lie about it. */
export interface FieldLies {
  readonly field: string
  readonly lies: ReadonlyArray<readonly [what: string, lie: Lie]>
}

type Data = ConstructorParameters<typeof xdr.SorobanTransactionData>[0]
type Resources = ConstructorParameters<typeof xdr.SorobanResources>[0]

const dataOf = (text: string): xdr.SorobanTransactionData => xdr.SorobanTransactionData.fromXdr(text, "base64")

const data = (change: (data: xdr.SorobanTransactionData) => Partial<Data>): Lie => (honest) => {
  const was = dataOf(honest.transactionData)
  return { ...honest, transactionData: new xdr.SorobanTransactionData({ ...was, ...change(was) }).toXdr("base64") }
}

const resources = (change: (resources: xdr.SorobanResources) => Partial<Resources>): Lie =>
  data((was) => ({ resources: new xdr.SorobanResources({ ...was.resources, ...change(was.resources) }) }))

type Keys = ReadonlyArray<xdr.LedgerKey>

const footprint = (change: (readOnly: Keys, readWrite: Keys) => readonly [Keys, Keys]): Lie =>
  resources((was) => {
    const [readOnly, readWrite] = change(was.footprint.readOnly, was.footprint.readWrite)
    return { footprint: new xdr.LedgerFootprint({ readOnly: [...readOnly], readWrite: [...readWrite] }) }
  })

const foreign = keyOfContractData(Address.contract(Buffer.alloc(32, 77)).toScAddress(), symbol("Rent"), "persistent")

const otherCode = (key: xdr.LedgerKey): xdr.LedgerKey =>
  key.type === "contractCode" ? xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(UPGRADED_HASH, "hex") })) : key

const agreements =
  (change: (entries: ReadonlyArray<xdr.SorobanAuthorizationEntry>) => ReadonlyArray<xdr.SorobanAuthorizationEntry>): Lie => (honest) => ({
    ...honest,
    results: (honest.results ?? []).map(({ auth, xdr: value }) => ({
      xdr: value,
      auth: change(auth.map((text) => xdr.SorobanAuthorizationEntry.fromXdr(text, "base64"))).map((entry) => entry.toXdr("base64"))
    }))
  })

const root = (change: (root: xdr.SorobanAuthorizedInvocation) => xdr.SorobanAuthorizedInvocation): Lie =>
  agreements((entries) =>
    entries.map(({ credentials, rootInvocation }) =>
      new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: change(rootInvocation) })
    )
  )

type Changes = NonNullable<SimulationText["stateChanges"]>

const changes = (change: (changes: Changes) => Changes): Lie => (honest) => ({ ...honest, stateChanges: change(honest.stateChanges ?? []) })

const entryOf = (text: string | null): xdr.LedgerEntry | null => (text === null ? null : xdr.LedgerEntry.fromXdr(text, "base64"))

/** The same entry with another amount on its trustline or account. */
const amounting = (text: string | null, change: (amount: bigint) => bigint): string | null => {
  const entry = entryOf(text)
  if (entry === null) return null
  const { data: was } = entry
  if (was.type === "trustline") {
    const trustLine = new xdr.TrustLineEntry({ ...was.trustLine, balance: change(was.trustLine.balance) })
    return new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.trustline(trustLine) }).toXdr("base64")
  }
  if (was.type !== "account") return text
  return new xdr.LedgerEntry({
    ...entry,
    data: xdr.LedgerEntryData.account(new xdr.AccountEntry({ ...was.account, balance: change(was.account.balance) }))
  }).toXdr("base64")
}

const field = (name: string, value: unknown): Lie => (honest) => ({ ...honest, [name]: value })

const without = (name: string): Lie => (honest) => Object.fromEntries(Object.entries(honest).filter(([one]) => one !== name))

/** Every field of a simulation, each with lies about it. */
export const fieldLies: ReadonlyArray<FieldLies> = [
  {
    field: "readOnly",
    lies: [
      ["nothing", footprint((_, write) => [[], write])],
      ["one less", footprint((read, write) => [read.slice(1), write])],
      ["somebody else's entry", footprint((read, write) => [[...read, foreign], write])],
      ["other code", footprint((read, write) => [read.map(otherCode), write])],
      ["what is written too", footprint((read, write) => [[...read, ...write], write])]
    ]
  },
  {
    field: "readWrite",
    lies: [
      ["nothing", footprint((read) => [read, []])],
      ["one less", footprint((read, write) => [read, write.slice(1)])],
      ["somebody else's entry", footprint((read, write) => [read, [...write, foreign]])],
      ["everything", footprint((read, write) => [[], [...write, ...read]])],
      [
        "a thousand of them",
        footprint((read, write) => [read, [
          ...write,
          ...Array.from(
            { length: 1_000 },
            (_, at) => keyOfContractData(Address.contract(Buffer.alloc(32, 78)).toScAddress(), symbol(`N${at}`), "persistent")
          )
        ]])
      ]
    ]
  },
  {
    field: "instructions",
    lies: [["none", resources(() => ({ instructions: 0 }))], ["the most there are", resources(() => ({ instructions: 4_294_967_295 }))]]
  },
  {
    field: "diskReadBytes",
    lies: [["none", resources(() => ({ diskReadBytes: 0 }))], ["the most there are", resources(() => ({ diskReadBytes: 4_294_967_295 }))]]
  },
  {
    field: "writeBytes",
    lies: [["none", resources(() => ({ writeBytes: 0 }))], ["the most there are", resources(() => ({ writeBytes: 4_294_967_295 }))]]
  },
  {
    field: "resourceFee",
    lies: [["none", data(() => ({ resourceFee: 0n }))], ["less than none", data(() => ({ resourceFee: -1n }))], [
      "the most there is",
      data(() => ({ resourceFee: 9_223_372_036_854_775_807n }))
    ]]
  },
  {
    field: "ext",
    lies: [[
      "archived entries",
      data(() => ({ ext: xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0] })) }))
    ], [
      "one beyond the footprint",
      data(() => ({
        ext: xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [4_000_000_000] }))
      }))
    ]]
  },
  {
    field: "transactionData",
    lies: [["nothing", field("transactionData", "")], ["garbage", field("transactionData", "%%%")], [
      "left out",
      without("transactionData")
    ]]
  },
  {
    field: "minResourceFee",
    lies: [
      ["none", field("minResourceFee", "0")],
      ["less than none", field("minResourceFee", "-100000")],
      ["as much as the account has", field("minResourceFee", "900000000")],
      ["more than there is", field("minResourceFee", "9223372036854775807")],
      ["more digits than a fee has", field("minResourceFee", "9".repeat(400))],
      ["no number", field("minResourceFee", "much")]
    ]
  },
  {
    field: "auth",
    lies: [
      ["none", agreements(() => [])],
      ["twice", agreements((entries) => [...entries, ...entries])],
      ["nothing below it", root(({ function: called }) => new xdr.SorobanAuthorizedInvocation({ function: called, subInvocations: [] }))],
      [
        "more below it",
        root(({ function: called, subInvocations }) =>
          new xdr.SorobanAuthorizedInvocation({ function: called, subInvocations: [...subInvocations, ...subInvocations] })
        )
      ],
      ["garbage", (honest) => ({ ...honest, results: (honest.results ?? []).map(({ xdr: value }) => ({ xdr: value, auth: ["%%%"] })) })]
    ]
  },
  {
    field: "result",
    lies: [
      [
        "something else",
        (honest) => ({ ...honest, results: (honest.results ?? []).map(({ auth }) => ({ auth, xdr: symbol("lie").toXdr("base64") })) })
      ],
      ["none", field("results", [])],
      ["two", (honest) => ({ ...honest, results: [...honest.results ?? [], ...honest.results ?? []] })]
    ]
  },
  {
    field: "stateChanges",
    lies: [
      ["none", without("stateChanges")],
      ["an empty list", changes(() => [])],
      ["the first left out", changes((all) => all.slice(1))],
      ["the last left out", changes((all) => all.slice(0, -1))],
      ["only what the account gets", changes((all) => all.filter(({ after }) => entryOf(after)?.data.type === "trustline"))],
      ["a hundred times as much", changes((all) => all.map((one) => ({ ...one, after: amounting(one.after, (amount) => amount * 100n) })))],
      ["nothing held before", changes((all) => all.map((one) => ({ ...one, before: amounting(one.before, () => 0n) })))],
      ["half as much", changes((all) => all.map((one) => ({ ...one, after: amounting(one.after, (amount) => amount / 2n) })))],
      ["each twice", changes((all) => [...all, ...all])],
      ["before and after the wrong way", changes((all) => all.map((one) => ({ ...one, before: one.after, after: one.before })))]
    ]
  },
  { field: "events", lies: [["garbage", field("events", ["%%%"])], ["left out", without("events")]] },
  { field: "latestLedger", lies: [["far ahead", field("latestLedger", 4_000_000_000)], ["no ledger", field("latestLedger", -1)]] },
  {
    field: "restorePreamble",
    lies: [
      [
        "somebody else's entry",
        (honest) => ({
          ...honest,
          restorePreamble: {
            ...(footprint((_, write) => [[], [...write.slice(0, 0), foreign]])(honest) as SimulationText),
            minResourceFee: "1000"
          }
        })
      ],
      [
        "what is not archived",
        (honest) => ({
          ...honest,
          restorePreamble: { ...(footprint((_, write) => [[], write.slice(0, 1)])(honest) as SimulationText), minResourceFee: "1000" }
        })
      ],
      ["garbage", field("restorePreamble", { transactionData: "%%%", minResourceFee: "1" })]
    ]
  },
  {
    field: "error",
    lies: [["of the host", (honest) => ({ error: "HostError: Error(Contract, #7)", latestLedger: honest.latestLedger })], [
      "of nobody",
      field("error", "")
    ]]
  }
]
