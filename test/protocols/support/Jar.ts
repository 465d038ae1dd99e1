import { Effect, Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { gate } from "../../../src/protocols/CodeGate.ts"
import { noPositions } from "../../../src/protocols/HeldPosition.ts"
import { undecoded } from "../../../src/protocols/kit/Decoding.ts"
import { type KnownCode, knownCode } from "../../../src/protocols/kit/KnownCode.ts"
import { requiredInInstance, valueIn } from "../../../src/protocols/kit/LedgerView.ts"
import type { LedgerView } from "../../../src/protocols/kit/LedgerView.ts"
import { listedContracts } from "../../../src/protocols/kit/ListedContracts.ts"
import { noExit } from "../../../src/protocols/kit/NoExit.ts"
import { part } from "../../../src/protocols/Place.ts"
import * as Protocol from "../../../src/protocols/Protocol.ts"
import { contractDataKey, instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { account, contract, i128, symbol, variant } from "../../../src/stellar/ScValCodec.ts"

const name = "amm_2"

const share = (user: AccountAddress) => variant("Share", account.encode(user))

/** What the user has in one jar; null when there never was anything. */
const readJar = (view: LedgerView, jar: ContractAddress, user: AccountAddress, known: KnownCode<"jar">) =>
  Either.gen(function*() {
    const { instance, wasmHash } = yield* gate(view, jar, known)
    const held = yield* valueIn(view, jar, share(user), i128)
    if (held === null || held === 0n) return null
    const token = yield* requiredInInstance(jar, instance, symbol.encode("Token"), contract)
    return { held, token, wasmHash }
  })

/** Jars, told apart by nothing but their contracts. */
const jarPart = (known: KnownCode<"jar">) =>
  part<{ readonly contract: ContractAddress }>("jar", {
    keys: ({ contract: jar }, user) => [instanceKey(jar), contractDataKey(jar, share(user))],
    decode: ({ contract: jar }, user, view) =>
      Either.match(readJar(view, jar, user, known), {
        onLeft: (failure) => undecoded(name, jar, "jar", failure),
        onRight: (found) =>
          found === null ? noPositions : {
            ...noPositions,
            positions: [{
              protocol: name,
              contract: jar,
              key: "share",
              rows: [{
                protocol: name,
                positionType: "lp",
                contractAddress: jar,
                shareAmount: `${found.held}`,
                wasmHash: found.wasmHash,
                usdValue: null
              }],
              pays: [found.token],
              owes: [],
              givenUnder: null
            }]
          }
      }),
    exit: ({ contract: jar }, _, { user, view }) =>
      Either.match(readJar(view, jar, user, known), {
        onLeft: noExit(jar),
        onRight: (found) =>
          found === null ? { _tag: "Gone" } : {
            _tag: "Calls",
            calls: [{
              contract: jar,
              function: "withdraw",
              args: [account.encode(user), i128.encode(found.held)],
              payouts: [{ token: found.token, expected: found.held }],
              holds: [],
              subCalls: [],
              recipients: []
            }],
            unlocksAt: null
          }
      })
  })

export const jars = (contracts: ReadonlyArray<ContractAddress>, known: KnownCode<"jar">): Protocol.Protocol => ({
  name,
  code: [...known.keys()],
  contracts,
  places: contracts.map((jar) => jarPart(known)({ contract: jar }))
})

export const layer = Protocol.layer(
  Effect.map(listedContracts(name, ["jar"]), ({ code, inRole }) => jars(inRole("jar"), knownCode(code, "jar")))
)
