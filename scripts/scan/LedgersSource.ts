import { StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import type { Call } from "../../src/chain/contract-rpc/JsonRpc.ts"
import { getRetention } from "../../src/chain/contract-rpc/Retention.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import type { Announcements } from "../../src/protocols/reading/Announcements.ts"
import { ScanRefused, type ScanSource } from "./ScanSource.ts"

const Page = Schema.Struct({ ledgers: Schema.Array(Schema.Struct({ sequence: Schema.NonNegativeInt, metadataXdr: Schema.String })) })

/** Ledgers of one answer: each may exceed a megabyte. */
const window = 10

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The value of an event that is the address of a contract, up to its 32 bytes. */
const contractFollows = Buffer.concat([word(18), word(1)])

/** The bytes of an event of one contract with these topics, up to its value: contract given, its id, kind `contract`, version 0, topics. */
const announcementOf = (factory: ContractAddress, topics: ReadonlyArray<xdr.ScVal>): Buffer =>
  Buffer.concat([
    word(1),
    StrKey.decodeContract(factory),
    word(1),
    word(0),
    word(topics.length),
    ...topics.map((topic) => topic.toXdr()),
    contractFollows
  ])

const found = (bytes: Buffer, sign: Buffer): ReadonlyArray<ContractAddress> => {
  const contracts: Array<ContractAddress> = []
  for (let at = bytes.indexOf(sign); at >= 0; at = bytes.indexOf(sign, at + 1)) {
    const id = bytes.subarray(at + sign.length, at + sign.length + 32)
    if (id.length === 32) contracts.push(ContractAddress.make(StrKey.encodeContract(id)))
  }
  return contracts
}

/**
 * Contracts that the bytes of a ledger may announce. The comparison uses only bytes, so parts that this version cannot decode do not
 * matter. A stranger may have written the same bytes on purpose: such a contract counts only once a factory confirms it.
 */
const namedIn = (bytes: Buffer, { contracts, topics }: Announcements): ReadonlyArray<ContractAddress> =>
  contracts.filter((factory) => bytes.includes(Buffer.from(StrKey.decodeContract(factory)))).flatMap((factory) =>
    found(bytes, announcementOf(factory, topics))
  )

/** `getLedgers` of one contract RPC: whole ledgers, for providers that keep those longer than events. */
export const ledgersSource = (call: Call, url: URL): ScanSource => ({
  name: `getLedgers of ${url.origin}`,
  window,
  keeps: Effect.map(getRetention(call)(url), ({ latestLedger, oldestLedger }) => ({ from: oldestLedger, to: latestLedger + 1 })),
  read: (announcements, { from, to }) =>
    Effect.gen(function*() {
      const possible: Array<ContractAddress> = []
      for (let next = from; next < to;) {
        const { ledgers } = yield* call("getLedgers", { startLedger: next, pagination: { limit: to - next } }, Page)(url)
        for (const { metadataXdr, sequence } of ledgers) {
          if (sequence !== next) return yield* new ScanRefused({ reason: `it does not tell of ledger ${next}` })
          possible.push(...namedIn(Buffer.from(metadataXdr, "base64"), announcements))
          next++
        }
        if (ledgers.length === 0) return yield* new ScanRefused({ reason: `it does not tell of ledger ${next}` })
      }
      return { announced: [], possible }
    })
})
