/**
 * Code of pools that ran on mainnet in 2026 beside the published code, by its hash (hex). What it told and did was compared with what the
 * models say: rows, results of calls, errors. It is the same, but for a getter that nothing here calls (`query_admin` of amm_3).
 */
export const liveCode = {
  constantProductPool: "ae0da5a84b15805c5c7931ac567a8d1b34be3f26b483993d9ff80cb2c3de9852",
  stablePool: "f1077e0b77da5e62d596e13aeae4160104cad99e7ef7f3183a6c9b6ec9e747cd",
  /** Its sales were not compared. */
  concentratedPool: "8875f0c770fb26d3053648856732a649936aed5db246845fa209f9032001b208",
  sixArgumentPool: "167ab414a226427de34c19947ef9c5cf38c6c0ed91ecf9392f7cef3278ff506c"
} as const
