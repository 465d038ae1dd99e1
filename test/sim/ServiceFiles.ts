import { FileSystem } from "@effect/platform"
import { StrKey } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { noContracts } from "../../src/registry/ContractAddresses.ts"
import { sandboxDeployment } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import type { Dice } from "../client/support/Dice.ts"
import type { Exchange } from "./World.ts"

/** The key of every client. */
export const apiKey = `lk_${"a".repeat(43)}`

/** Settings that name files, and the files. */
export const fileSettings = {
  API_KEYS_FILE: "/keys",
  EXCHANGE_REGISTRY_FILE: "/exchanges.json",
  TESTNET_CONTRACTS_FILE: "/contracts.json",
  TESTNET_TOKENS_FILE: "/tokens.json"
} as const

type FileSetting = keyof typeof fileSettings

const settingNames: ReadonlyArray<FileSetting> = [
  "API_KEYS_FILE",
  "EXCHANGE_REGISTRY_FILE",
  "TESTNET_CONTRACTS_FILE",
  "TESTNET_TOKENS_FILE"
]

/** A missing contract: the network has contract tokens, and lists beside the files name them. */
const absent = (version: number): string => StrKey.encodeContract(new Uint8Array(32).fill(version % 256))

const registryOf = ({ address }: Exchange, version: number) => ({
  version: String(version),
  lastVerified: "2030-01-01",
  validUntil: "2999-01-01",
  source: "made for a run",
  entries: [{
    address,
    name: "An exchange",
    domain: "exchange.example",
    requiresMediator: true,
    requiresMemo: true,
    memoType: "text"
  }]
})

/** The content of a file. Versions differ in text, but not in meaning for a close. */
const textOf = (setting: FileSetting, exchange: Exchange, version: number): string => {
  switch (setting) {
    case "API_KEYS_FILE":
      return `sim=${apiKey}\nversion${version}=lk_${String(version).padStart(43, "b")}\n`
    case "EXCHANGE_REGISTRY_FILE":
      return JSON.stringify(registryOf(exchange, version))
    case "TESTNET_CONTRACTS_FILE":
      return JSON.stringify({
        network: "testnet",
        protocols: { ...noContracts, ...sandboxDeployment.contracts },
        code: sandboxDeployment.code,
        listedTo: { ...sandboxDeployment.listedTo, [absent(version)]: version },
        tokens: "none"
      })
    case "TESTNET_TOKENS_FILE":
      return JSON.stringify({ network: "testnet", tokens: [absent(version)] })
  }
}

/** The files of an operator. Reads are synchronous, because the clock does not wait for them. */
export class ServiceFiles {
  readonly #exchange: Exchange
  readonly #texts = new Map<string, string>()
  #version = 1

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    for (const setting of settingNames) this.#write(setting)
  }

  readonly layer = FileSystem.layerNoop({
    readFileString: (path) =>
      Effect.suspend(() => {
        const text = this.#texts.get(path)
        return text === undefined ? Effect.dieMessage(`there is no file ${path}`) : Effect.succeed(text)
      })
  })

  /** Rewrites one of the files. Returns its setting, and the effect that restores it. */
  change(dice: Dice): { readonly setting: FileSetting; readonly isSound: boolean; readonly undo: () => void } {
    const setting = dice.pick(settingNames)
    const before = this.#texts.get(fileSettings[setting]) ?? ""
    const isSound = dice.chance(0.75)
    this.#version++
    if (isSound) this.#write(setting)
    else this.#texts.set(fileSettings[setting], before.slice(0, -2))
    return { setting, isSound, undo: () => void this.#texts.set(fileSettings[setting], before) }
  }

  #write(setting: FileSetting): void {
    this.#texts.set(fileSettings[setting], textOf(setting, this.#exchange, this.#version))
  }
}
