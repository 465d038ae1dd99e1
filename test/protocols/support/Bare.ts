import type { ProtocolName } from "../../../src/domain/ProtocolName.ts"
import { noPositions } from "../../../src/protocols/HeldPosition.ts"
import type { Place } from "../../../src/protocols/Place.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import { anyContract } from "../../support/Addresses.ts"

const somewhere = anyContract()

/** A place without questions and holdings, apart from the given fields. */
export const barePlace = (but: Partial<Place> = {}): Place => ({
  contract: somewhere,
  role: "pool",
  keys: () => [],
  decode: () => noPositions,
  exit: () => ({ _tag: "Gone" }),
  ...but
})

/** A protocol with one such place. */
export const bare = (name: ProtocolName, but: Partial<Place> = {}): Protocol => ({
  name,
  code: [],
  contracts: [somewhere],
  places: [barePlace(but)]
})
