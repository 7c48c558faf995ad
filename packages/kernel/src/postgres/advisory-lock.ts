import type pg from 'pg'

/** Does the work while no other process does work with the same number. */
export async function withAdvisoryLock<T>(
  pool: pg.Pool,
  lockNumber: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    return await work()
  } finally {
    // The lock ends with the connection, also when a statement above failed.
    client.release(true)
  }
}
