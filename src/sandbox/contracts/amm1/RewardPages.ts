import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asU128, asVec, u128, vec } from "../../../ledger/soroban/Values.ts"
import { readKept, writeKept } from "./Lives.ts"
import { formerPageKey, rewardPageKey } from "./RewardKeys.ts"

/** Cells of a page. */
const PAGE = 100n

/** Where a block is found on the pages that sum up runs of PAGE ** power blocks. */
const placeOf = (block: bigint, power: number) => {
  const cell = PAGE ** BigInt(power)
  const page = cell * PAGE
  return { cell, page: block / page, index: Number((block % page) / cell) }
}

const readPage = (host: ContractHost, power: number, page: bigint): Array<bigint> => {
  const value = readKept(host, rewardPageKey(power, page))
  if (value === undefined) host.persistent.get(formerPageKey(power, page))
  const cells = value === undefined ? [] : asVec(value).map(asU128)
  return power === 0 ? [...cells, ...Array.from({ length: Math.max(0, Number(PAGE) - cells.length) }, () => 0n)] : cells
}

/** Notes what one working share earned in a block, on the page of blocks and on those of ever larger runs. */
export const addReward = (host: ContractHost, block: bigint, perShare: bigint): void => {
  for (let power = 0; power === 0 || block + 1n >= PAGE ** BigInt(power - 1); power += 1) {
    const { index, page } = placeOf(block, power)
    const cells = readPage(host, power, page)
    if (index > cells.length || (power === 0 && index === cells.length)) host.trap()
    cells[index] = (cells[index] ?? 0n) + perShare
    writeKept(host, rewardPageKey(power, page), vec(...cells.map(u128)))
  }
}

/** What one working share earned from one block to another, both counted. */
export const rewardOf = (host: ContractHost, from: bigint, to: bigint): bigint => {
  let most = 1
  while (from + PAGE ** BigInt(most) - 1n <= to) most += 1
  let sum = 0n
  for (let block = from; block <= to;) {
    let power = most
    while (power > 0 && block % PAGE ** BigInt(power) !== 0n) power -= 1
    const { cell, index, page } = placeOf(block, power)
    sum += readPage(host, power, page)[index] ?? 0n
    block += cell
  }
  return sum
}
