import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import type { Authenticator } from "../../../src/ledger/soroban/Credentials.ts"
import { hostFail } from "../../../src/ledger/soroban/HostError.ts"
import { networkId } from "../support/World.ts"
import { tree } from "./support/Agreements.ts"
import {
  a,
  b,
  c,
  d,
  enforcing,
  entry,
  move,
  noncesOf,
  ok,
  other,
  pay,
  refused,
  source,
  start,
  take,
  wallet
} from "./support/AuthorizationFrames.ts"
import { refusalOf } from "./support/HostErrors.ts"

describe("an entry", () => {
  it("lets each call of its tree through once, in its place, and is verified once", () => {
    const { ask, enter, leave, usedNonces, verifications } = enforcing(entry(1n, tree(start, tree(pay), tree(move, tree(take)))))
    enter(a)
    assert.deepStrictEqual([ask(wallet, pay), ask(wallet, start), ask(wallet, start)], [refused(wallet), ok, refused(wallet)])
    enter(b)
    assert.deepStrictEqual([ask(wallet, take), ask(wallet, pay)], [refused(wallet), ok])
    leave()
    enter(c)
    assert.strictEqual(ask(wallet, move), ok)
    enter(d)
    assert.strictEqual(ask(wallet, take), ok)
    assert.deepStrictEqual([verifications(), usedNonces()], [1, noncesOf(1n)])
  })

  it("covers nothing while its owner is asked about it, though another of its address may", () => {
    const { authorization, enter, leave } = enforcing(entry(1n, tree(start, tree(pay))), entry(2n, tree(move)))
    const inside: Array<string> = []
    const within = (contract: xdr.ScAddress, fn: xdr.SorobanAuthorizedFunction): string => {
      enter(contract)
      const answer = refusalOf(() => authorization.require(wallet, fn, authenticator))
      leave()
      return answer
    }
    const authenticator: Authenticator = {
      networkId,
      consumeNonce: () => undefined,
      authenticate: (_address, _payload, _signature, { function: root }) => {
        if (root !== start || inside.length > 0) return
        inside.push(within(b, pay), within(c, move))
        hostFail("Auth", "InvalidAction", "not agreed")
      }
    }
    enter(a)
    assert.match(refusalOf(() => authorization.require(wallet, start, authenticator)), /failed account authentication/)
    assert.deepStrictEqual(inside, [refused(wallet), ok])
    assert.strictEqual(within(b, pay), ok, "once that is over, it may cover what is under it")
  })

  it("is verified once, also where its owner survives a failed call before it agrees", () => {
    const { authorization, enter, failIn } = enforcing(entry(1n, tree(start, tree(pay))))
    let verifications = 0
    const authenticator: Authenticator = {
      networkId,
      consumeNonce: () => undefined,
      authenticate: () => {
        verifications++
        failIn(d, () => undefined)
      }
    }
    enter(a)
    assert.strictEqual(refusalOf(() => authorization.require(wallet, start, authenticator)), ok)
    enter(b)
    assert.deepStrictEqual([refusalOf(() => authorization.require(wallet, pay, authenticator)), verifications], [ok, 1])
  })

  it("agrees for its address alone", () => {
    const { ask, enter, verifications } = enforcing(entry(1n, tree(start)))
    enter(a)
    assert.deepStrictEqual([ask(other, start), ask(source, start), verifications()], [refused(other), refused(source), 0])
    assert.deepStrictEqual([ask(wallet, start), verifications()], [ok, 1])
  })

  it("of the source is not verified", () => {
    const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount()
    const { ask, enter, storage, verifications } = enforcing(
      new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: tree(start) })
    )
    enter(a)
    assert.deepStrictEqual([ask(wallet, start), ask(source, start)], [refused(wallet), ok])
    assert.deepStrictEqual([verifications(), storage.final()], [0, []])
  })

  it("serves beside another of its address in one call, each in its turn", () => {
    const { ask, enter, usedNonces } = enforcing(entry(1n, tree(start)), entry(2n, tree(start)))
    enter(a)
    assert.deepStrictEqual([ask(wallet, start), usedNonces()], [ok, noncesOf(1n)])
    assert.deepStrictEqual([ask(wallet, start), usedNonces()], [ok, noncesOf(1n, 2n)])
    assert.strictEqual(ask(wallet, start), refused(wallet))
  })

  it("cannot begin below another entry of its address whose first call still runs", () => {
    const { ask, enter, leave } = enforcing(entry(1n, tree(start)), entry(2n, tree(pay)))
    enter(a)
    assert.strictEqual(ask(wallet, start), ok)
    enter(b)
    assert.strictEqual(ask(wallet, pay), refused(wallet))
    leave()
    leave()
    enter(b)
    assert.strictEqual(ask(wallet, pay), ok)
  })
})

describe("a contract agrees", () => {
  it("to what it calls itself, and to nothing else", () => {
    const { ask, enter } = enforcing()
    enter(a)
    assert.strictEqual(ask(a, start), refused(a))
    enter(b)
    assert.deepStrictEqual([ask(a, pay), ask(b, pay), ask(wallet, pay)], [ok, refused(b), refused(wallet)])
    enter(c)
    assert.deepStrictEqual([ask(a, move), ask(b, move)], [refused(a), ok])
  })

  it("to nothing that the host calls when it creates a contract", () => {
    const { ask, authorization, enter } = enforcing()
    authorization.push(null)
    enter(b)
    assert.strictEqual(ask(a, pay), refused(a))
  })

  it("to calls further down that it names, each once", () => {
    const { ask, authorization, enter, leave } = enforcing()
    enter(a)
    authorization.addContractAgreements([tree(pay), tree(move, tree(take))])
    enter(b, c)
    assert.deepStrictEqual([ask(other, move), ask(a, take), ask(a, move)], [refused(other), refused(a), ok])
    assert.deepStrictEqual([ask(a, move), ask(a, pay)], [refused(a), ok])
    enter(d)
    assert.strictEqual(ask(a, take), ok)
    leave()
    leave()
    enter(c)
    assert.strictEqual(ask(a, move), refused(a))
  })

  it("to a creation further down that it names", () => {
    const { ask, authorization, enter } = enforcing()
    enter(a)
    authorization.addContractAgreements([tree(move)])
    enter(b)
    authorization.push(null)
    assert.deepStrictEqual([ask(a, pay), ask(a, move)], [refused(a), ok])
  })

  it("to no call of itself", () => {
    const { ask, authorization, enter } = enforcing()
    enter(c, b, a)
    authorization.addContractAgreements([tree(start)])
    assert.strictEqual(ask(a, start), refused(a))
  })

  it("to what it names only until its next call ends", () => {
    const { ask, authorization, enter, leave } = enforcing()
    enter(a)
    authorization.addContractAgreements([tree(pay), tree(move)])
    enter(b)
    leave()
    enter(b, c)
    assert.deepStrictEqual([ask(a, pay), ask(a, move)], [refused(a), refused(a)])
  })

  it("to calls further down, also where contracts in between make agreements of their own", () => {
    const { ask, authorization, enter, leave } = enforcing()
    enter(a)
    authorization.addContractAgreements([tree(move)])
    enter(b)
    authorization.addContractAgreements([tree(take)])
    enter(d)
    leave()
    enter(c)
    assert.strictEqual(ask(a, move), ok)
    enter(d)
    assert.strictEqual(ask(b, take), refused(b))
  })

  it("to nothing where no contract runs", () => {
    const { ask, authorization, enter } = enforcing()
    authorization.addContractAgreements([tree(move)])
    authorization.push(null)
    authorization.addContractAgreements([tree(move)])
    enter(b, c)
    assert.strictEqual(ask(a, move), refused(a))
  })
})

describe("a call that fails", () => {
  it("gives back what it used of an entry, which stays verified", () => {
    const { ask, enter, failIn, usedNonces, verifications } = enforcing(entry(1n, tree(start, tree(pay))))
    enter(a)
    assert.strictEqual(ask(wallet, start), ok)
    failIn(b, () => assert.strictEqual(ask(wallet, pay), ok))
    enter(b)
    assert.deepStrictEqual([ask(wallet, pay), verifications(), usedNonces()], [ok, 1, noncesOf(1n)])
  })

  it("gives back an entry that it began, with its nonce", () => {
    const { ask, enter, failIn, usedNonces, verifications } = enforcing(entry(1n, tree(pay)))
    enter(a)
    failIn(b, () => assert.deepStrictEqual([ask(wallet, pay), usedNonces()], [ok, noncesOf(1n)]))
    assert.deepStrictEqual(usedNonces(), [])
    enter(b)
    assert.deepStrictEqual([ask(wallet, pay), verifications(), usedNonces()], [ok, 2, noncesOf(1n)])
  })

  it("gives back what it used of a contract's agreement", () => {
    const { ask, authorization, enter, failIn } = enforcing()
    enter(a)
    authorization.addContractAgreements([tree(move)])
    enter(b)
    failIn(c, () => assert.strictEqual(ask(a, move), ok))
    enter(c)
    assert.deepStrictEqual([ask(a, move), ask(a, move)], [ok, refused(a)])
  })

  it("takes back the agreements of its contract", () => {
    const { ask, authorization, enter } = enforcing()
    enter(a)
    authorization.addContractAgreements([tree(move)])
    const undo = authorization.snapshot()
    authorization.addContractAgreements([tree(take)])
    undo()
    enter(b, c)
    assert.strictEqual(ask(a, move), ok)
    enter(d)
    assert.strictEqual(ask(a, take), refused(a))
  })
})
