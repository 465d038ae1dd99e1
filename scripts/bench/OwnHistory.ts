import { HttpClient, HttpClientResponse } from "@effect/platform"
import {
  Account,
  Address,
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr
} from "@stellar/stellar-sdk"
import { Console, Effect, Layer } from "effect"
import { ownHistory } from "../../src/chain/history/OwnHistory.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { cpuWithin, longestTurnOf } from "./Cpu.ts"
import { median, millis, row } from "./Table.ts"

const networkPassphrase = "A long history, timed"
const pages = 20
const pageSize = 200
const runs = 9

const [account, stranger] = [Keypair.random(), Keypair.random()]
const contract = Address.contract(Buffer.alloc(32, 5))

const envelope = (source: Keypair, operation: xdr.Operation, data?: xdr.SorobanTransactionData): string => {
  const builder = new TransactionBuilder(new Account(source.publicKey(), "7"), { fee: "100", networkPassphrase }).addOperation(operation)
    .setTimeout(0)
  const built = (data === undefined ? builder : builder.setSorobanData(data)).build()
  built.sign(source)
  return built.toXDR()
}

/** One record names the account. */
const entryKey = (index: number): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: contract.toScAddress(),
      key: xdr.ScVal.scvVec([
        xdr.ScVal.scvSymbol("Positions"),
        index === 0 ? nativeToScVal(account.publicKey(), { type: "address" }) : xdr.ScVal.scvU32(index)
      ]),
      durability: xdr.ContractDataDurability.persistent
    })
  )

const paid = envelope(stranger, Operation.payment({ destination: account.publicKey(), asset: Asset.native(), amount: "0.0000001" }))
const called = envelope(
  account,
  Operation.invokeContractFunction({
    contract: contract.toString(),
    function: "submit",
    args: [nativeToScVal(account.publicKey(), { type: "address" })]
  }),
  new SorobanDataBuilder().setReadOnly(Array.from({ length: 10 }, (_, at) => entryKey(at))).setReadWrite(
    Array.from({ length: 10 }, (_, at) => entryKey(10 + at))
  ).build()
)

/** Histories: the account's own records, one in this many, among payments of strangers. */
const histories = [["what strangers paid", Number.POSITIVE_INFINITY], ["a contract call in ten", 10], ["contract calls only", 1]] as const

const recordAt = (at: number, every: number) => {
  const own = at % every === 0
  return {
    ledger: 1_000_000 - at,
    paging_token: (BigInt(1_000_000 - at) << 32n).toString(),
    successful: true,
    source_account: (own ? account : stranger).publicKey(),
    source_account_sequence: String(1_000_000 - at),
    envelope_xdr: own ? called : paid
  }
}

/** A ledger API with one long history. */
const apiOver = (every: number) => {
  const texts = Array.from(
    { length: pages },
    (_, page) =>
      JSON.stringify({ _embedded: { records: Array.from({ length: pageSize }, (_, at) => recordAt(page * pageSize + at, every)) } })
  )
  const root = JSON.stringify({
    network_passphrase: networkPassphrase,
    ingest_latest_ledger: 1_000_000,
    history_elder_ledger: 1,
    history_latest_ledger_closed_at: "2026-01-01T00:00:00Z"
  })
  const client = HttpClient.make((request, url) => {
    const before = Number(BigInt(url.searchParams.get("cursor") ?? String(1_000_001n << 32n)) >> 32n)
    const body = url.pathname === "/" ? root : texts[Math.floor((1_000_000 - before + 1) / pageSize)]
    return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body, { headers: { "latest-ledger": "1000000" } })))
  })
  const settings = Layer.succeed(NetworkSettings, {
    network: "testnet" as const,
    passphrase: networkPassphrase,
    rpcUrls: [new URL("http://nobody.invalid/")] as const,
    ledgerApiUrls: [new URL("http://api.invalid/")] as const,
    sandbox: false
  })
  return LedgerApi.layer.pipe(Layer.provide([settings, Layer.succeed(HttpClient.HttpClient, client)]))
}

const timed = (every: number) =>
  Effect.gen(function*() {
    const api = yield* LedgerApi
    const address = AccountAddress.make(account.publicKey())
    const figures: Array<{ readonly cpu: number; readonly turn: number }> = []
    for (let run = 0; run < 2 * runs; run++) {
      const fresh = Effect.flatMap(ownHistory(api, () => []), ({ read }) => read(address, { since: 1, pages }))
      const figure = { cpu: yield* cpuWithin(fresh), turn: yield* longestTurnOf(fresh) }
      if (run >= runs) figures.push(figure)
    }
    return { cpu: median(figures.map(({ cpu }) => cpu)), turn: median(figures.map(({ turn }) => turn)) }
  }).pipe(Effect.provide(apiOver(every)))

/** Cost of reading an account's own history up to the limit, from the bytes of its pages on. */
export const ownHistories = Effect.gen(function*() {
  yield* Console.log(
    `The own history of an account, ${pages} pages of ${pageSize}, the median of ${runs}; goal: at most 150 ms of CPU, in turns under 25 ms.`
  )
  yield* Console.log(row(["history", "CPU", "turn"]))
  for (const [name, every] of histories) {
    const { cpu, turn } = yield* timed(every)
    yield* Console.log(row([name, millis(cpu), millis(turn)]))
  }
})
