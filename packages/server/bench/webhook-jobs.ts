import { Logger, run, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { Pool } from 'undici'
import { secondsOf } from './measure.ts'

const quiet = { logger: new Logger(() => () => undefined) }

/**
 * The peer of docs/decisions/0009-endpoint-workers-instead-of-jobs.md: one job of graphile-worker
 * for each message, which posts and does nothing else. The queue fetches and completes jobs in
 * batches, as it can.
 * @returns Messages a second, all of them waiting at the start.
 */
export async function benchJobs(
  pool: pg.Pool,
  url: string,
  bodies: readonly string[],
  connections: number,
): Promise<number> {
  await runMigrations({ pgPool: pool, ...quiet })
  await pool.query(
    `select count(graphile_worker.add_job('post_message', json_build_object('body', body)))
    from unnest($1::text[]) as body`,
    [bodies],
  )
  const target = new Pool(new URL(url).origin, { connections, pipelining: 1 })
  const { promise: allDone, resolve } = Promise.withResolvers<void>()
  let done = 0
  const seconds = await secondsOf(async () => {
    const runner = await run({
      ...quiet,
      pgPool: pool,
      concurrency: connections,
      noHandleSignals: true,
      preset: {
        worker: { localQueue: { size: 500 }, completeJobBatchDelay: 5, failJobBatchDelay: 5 },
      },
      taskList: {
        post_message: async (payload) => {
          const { body } = payload as { body: string }
          const headers = { 'content-type': 'application/json', 'webhook-id': String(done) }
          const response = await target.request({ method: 'POST', path: '/', headers, body })
          await response.body.dump()
          done += 1
          if (done === bodies.length) resolve()
        },
      },
    })
    await allDone
    await runner.stop()
  })
  await target.close()
  return bodies.length / seconds
}
