import type { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { Authorization } from "../../../../src/ledger/soroban/Authorization.ts"
import { noContracts } from "../../../../src/ledger/soroban/Contract.ts"
import { Lifetimes } from "../../../../src/ledger/soroban/Life.ts"
import { Machine, type MachineOptions } from "../../../../src/ledger/soroban/Machine.ts"
import { Meter } from "../../../../src/ledger/soroban/Meter.ts"
import { testNetworkSettings } from "../../../../src/ledger/soroban/Settings.ts"
import { Storage } from "../../../../src/ledger/soroban/Storage.ts"
import { networkId } from "../../support/World.ts"
import { somewhere } from "./AssetWorld.ts"

/** Finds out what a source would have to agree to. */
export const recordingFor = (source: xdr.ScAddress, allowNonRoot = false): Authorization =>
  new Authorization({ _tag: "Recording", allowNonRoot, nonce: () => 1n, maxLiveUntil: 2_000 }, source)

/** A machine that may touch all of a ledger, knows no contract, has no agreement, and takes signatures as given; a test changes the rest. */
export const machineOver = (world: { readonly state: LedgerState }, changed: Partial<MachineOptions> = {}): Machine =>
  new Machine({
    header: world.state.header,
    networkId,
    contracts: noContracts,
    storage: Storage.recording((id) => world.state.find(id), new Lifetimes(world.state.header.ledgerSeq, testNetworkSettings)),
    authorization: new Authorization({ _tag: "Enforcing", entries: [] }, somewhere),
    meter: new Meter(1e9),
    signatures: "assume",
    ...changed
  })
