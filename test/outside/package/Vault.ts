import {
  type AccountAddress,
  ContractAddress,
  contractDataKey,
  gate,
  instanceKey,
  kit,
  noPositions,
  OutsideProtocol,
  part,
  Protocol,
  ScValCodec,
  WasmHash
} from "account-closeout/protocol"
import { Effect, Either } from "effect"

const { account, contract, i128, symbol, variant } = ScValCodec

export const name = OutsideProtocol.make("acme_vault")

/** Where the vault is, and the code it runs. */
export const vault = ContractAddress.make("CADQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQP5KR")
export const code = WasmHash.make("ac".repeat(32))

const share = (user: AccountAddress) => variant("Share", account.encode(user))

/** What the user has in the vault; null when there is nothing. */
const held = (view: kit.LedgerView, at: ContractAddress, user: AccountAddress, known: kit.KnownCode<"vault">) =>
  Either.gen(function*() {
    const { instance, wasmHash } = yield* gate(view, at, known)
    const amount = yield* kit.valueIn(view, at, share(user), i128)
    if (amount === null || amount === 0n) return null
    const token = yield* kit.requiredInInstance(at, instance, symbol.encode("Token"), contract)
    return { amount, token, wasmHash }
  })

const vaultPart = (known: kit.KnownCode<"vault">) =>
  part<{ readonly contract: ContractAddress }>("vault", {
    keys: ({ contract: at }, user) => [instanceKey(at), contractDataKey(at, share(user))],
    decode: ({ contract: at }, user, view) =>
      Either.match(held(view, at, user, known), {
        onLeft: (failure) => kit.undecoded(name, at, "vault", failure),
        onRight: (found) =>
          found === null ? noPositions : {
            ...noPositions,
            positions: [{
              protocol: name,
              contract: at,
              key: "share",
              rows: [{
                protocol: name,
                positionType: "other",
                contractAddress: at,
                wasmHash: found.wasmHash,
                usdValue: null,
                holds: [{ token: found.token, symbol: null, amount: `${found.amount}` }]
              }],
              pays: [found.token],
              owes: [],
              givenUnder: null
            }]
          }
      }),
    exit: ({ contract: at }, _, { user, view }) =>
      Either.match(held(view, at, user, known), {
        onLeft: kit.noExit(at),
        onRight: (found) =>
          found === null ? { _tag: "Gone" } : {
            _tag: "Calls",
            calls: [{
              contract: at,
              function: "withdraw",
              args: [account.encode(user), i128.encode(found.amount)],
              payouts: [{ token: found.token, expected: found.amount }],
              holds: [],
              subCalls: [],
              recipients: []
            }],
            unlocksAt: null
          }
      })
  })

export const layer = Protocol.layer(
  Effect.map(
    kit.ownContracts(name, ["vault"], { contracts: { testnet: { vault: [vault] } }, code: { vault: [code] } }),
    ({ code: listed, inRole }) => {
      const known = kit.knownCode(listed, "vault")
      const contracts = inRole("vault")
      return { name, code: [...known.keys()], contracts, places: contracts.map((at) => vaultPart(known)({ contract: at })) }
    }
  )
)
