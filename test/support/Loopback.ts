/** Servers that `scripts/ci-services` started, and why tests that need one are skipped where it is not there. */
export const loopback = {
  postgres: process.env["TEST_POSTGRES_URL"] ?? null,
  redis: process.env["TEST_REDIS_URL"] ?? null
}

/** What a test's name says where its server is not there. */
export const orSkipped = (name: string, server: keyof typeof loopback): string => {
  if (loopback[server] !== null) return name
  return `${name} (skipped: no ${server === "postgres" ? "PostgreSQL" : "Redis"})`
}
