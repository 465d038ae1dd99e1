import { median } from "./Table.ts"

/** Milliseconds of CPU, this process over, that one run of something takes: the median of so many, after so many to warm up. */
export const cpuOf = (work: () => unknown, runs: number, warmUp = runs): number => {
  for (let run = 0; run < warmUp; run++) work()
  return median(Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    work()
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1000
  }))
}

/** Milliseconds that one run of something takes: the median of so many, after so many to warm up. */
export const timeOf = (work: () => unknown, runs: number, warmUp = runs): number => {
  for (let run = 0; run < warmUp; run++) work()
  return median(Array.from({ length: runs }, () => {
    const before = process.hrtime.bigint()
    work()
    return Number(process.hrtime.bigint() - before) / 1e6
  }))
}
