import * as Port from "account-closeout/protocol"
import { Effect, Either } from "effect"

const { kit, ScValCodec: { account, contract, i128, symbol, variant } } = Port
const name = Port.OutsideProtocol.make("acme_jar")
export const jar = Port.ContractAddress.make("CADQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQP5KR")
export const code = Port.WasmHash.make("ac".repeat(32))

const share = (user: Port.AccountAddress) => variant("Share", account.encode(user))

const place = (known: Port.kit.KnownCode<"jar">) =>
  Port.onePosition(name, "jar", {
    keys: ({ contract: at }, user) => [Port.instanceKey(at), Port.contractDataKey(at, share(user))],
    read: ({ contract: at }, user, view) =>
      Either.gen(function*() {
        const { instance, wasmHash } = yield* Port.gate(view, at, known)
        const amount = yield* kit.valueIn(view, at, share(user), kit.amount)
        const token = yield* kit.requiredInInstance(at, instance, symbol.encode("Token"), contract)
        return amount === null || amount === 0n ? null : { at, amount, token, wasmHash }
      }),
    position: ({ amount, at, token, wasmHash }) => {
      const holds = [{ token, symbol: null, amount: `${amount}` }]
      const row = { protocol: name, positionType: "other", contractAddress: at, wasmHash, usdValue: null, holds } as const
      return { key: "share", rows: [row], pays: [token], owes: [], givenUnder: null }
    },
    exit: ({ amount, at, token }, { user }) => {
      const args = [account.encode(user), i128.encode(amount)]
      const payouts = [{ token, expected: amount }]
      const withdraw = { contract: at, function: "withdraw", args, payouts, holds: [], subCalls: [], recipients: [] }
      return { _tag: "Calls", calls: [withdraw], unlocksAt: null }
    }
  })

export const jars = (contracts: ReadonlyArray<Port.ContractAddress>, known: Port.kit.KnownCode<"jar">): Port.Protocol.Protocol => ({
  name,
  code: [...known.keys()],
  contracts,
  places: contracts.map((at) => place(known)({ contract: at }))
})

const own = { contracts: { sandbox: { jar: [jar] } }, code: { jar: [code] } } as const
export const layer = Port.Protocol.layer(
  Effect.map(kit.ownContracts(name, ["jar"], own), (listed) => jars(listed.inRole("jar"), kit.knownCode(listed.code, "jar")))
)
