import { it } from "@effect/vitest"
import { allNeedy, claimsFirst, claimsLast, suppliers } from "../close/leaving/support/Earners.ts"

for (const one of suppliers) {
  it.scopedLive(`whoever earns ${one.rate} BLND a ledger, ${one.what} and signs in ${one.seconds} s, gets everything once`, () =>
    claimsLast(one))
}

for (const one of allNeedy) {
  it.scopedLive(`one who ${one.what} claims first, at ${one.thousandths} thousandths and ${one.seconds} s a signature`, () =>
    claimsFirst(one))
}
