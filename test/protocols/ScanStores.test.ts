import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { NetworkSettings } from "../../src/chain/NetworkSettings.ts"
import { ScanStores } from "../../src/protocols/reading/ScanStores.ts"
import { scanFiles } from "../../src/ScanFiles.ts"
import { symbol, u32 } from "../../src/stellar/ScValCodec.ts"
import { anyContract } from "../support/Addresses.ts"

const announcements = {
  contracts: [anyContract()],
  topics: [symbol.encode("deploy")],
  since: 7
}

const stores = (directory: string, sandbox: boolean) =>
  scanFiles.pipe(
    Layer.provide(Layer.succeed(NetworkSettings, {
      network: "testnet",
      passphrase: "a network of a test",
      rpcUrls: [new URL("http://127.0.0.1/")],
      ledgerApiUrls: [new URL("http://127.0.0.1/")],
      sandbox
    })),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["DATA_DIR", directory]]))))
  )

const value = u32.encode(7)
const scanned = { data: new Map([[value.toXdr("base64"), value]]), covered: [{ from: 3, to: 9 }, { from: 12, to: 40 }] }

const loaded = Effect.flatMap(
  ScanStores,
  ({ of }) => Effect.map(of(announcements).load, ({ covered, data }) => ({ covered, data: [...data.keys()] }))
)

describe("scanned announcements", () => {
  it.scoped("outlive the process in a file under DATA_DIR; one that is broken is as none", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped()
      yield* Effect.provide(Effect.flatMap(ScanStores, ({ of }) => of(announcements).save(scanned)), stores(directory, false))
      assert.deepStrictEqual(yield* Effect.provide(loaded, stores(directory, false)), {
        covered: scanned.covered,
        data: [...scanned.data.keys()]
      })
      const names = yield* files.readDirectory(directory)
      assert.lengthOf(names, 1)
      yield* files.writeFileString(`${directory}/${names[0]}`, "{")
      assert.deepStrictEqual(yield* Effect.provide(loaded, stores(directory, false)), { covered: [], data: [] })
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.scoped("of the sandbox are not kept", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped()
      yield* Effect.provide(Effect.flatMap(ScanStores, ({ of }) => of(announcements).save(scanned)), stores(directory, true))
      assert.isEmpty(yield* files.readDirectory(directory))
    }).pipe(Effect.provide(NodeFileSystem.layer)))
})
