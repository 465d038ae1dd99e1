import { busyCloses } from "../close/support/BusyCloses.ts"
import { sourcesService } from "../close/support/Sources.ts"
import { layer } from "../support/Layered.ts"

layer(sourcesService(2, {}, true), { excludeTestServices: true, timeout: "10 minutes" })("two honest contract RPCs one ledger apart", (it) => {
  it.effect("meet no contradiction over a thousand closes with busy pools", () => busyCloses(1000), 3_600_000)
})
