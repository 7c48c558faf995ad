import { RESULT_FILES } from '@salus/lab/results'
import type { Harness } from '../harness.ts'

/** Adds a picture of a laboratory to the newest results of an order, and returns its id. */
export async function addDocument({ database, files }: Harness, orderId: string): Promise<string> {
  const id = crypto.randomUUID()
  const content = Buffer.from('89504e470d0a1a0a', 'hex')
  const file = `${orderId}.${id}.bin`
  await files.write(RESULT_FILES, file, content, content.length)
  const document = { id, name: 'Gel', content_type: 'image/png', size: content.length, version: 1 }
  await database.pool.query(
    `update results set document_files = array[$2],
      report = jsonb_set(report, '{documents}', jsonb_build_array($3::jsonb))
    where order_id = $1`,
    [orderId, file, JSON.stringify(document)],
  )
  return id
}

/** Opens the task about an order, by default about its critical result. Returns its id. */
export async function openTask(
  { database }: Harness,
  orderId: string,
  kind = 'critical_result',
): Promise<string> {
  // Subjects share an order, of which each has a task of its own: one of another version.
  const { rows } = await database.pool.query(
    `insert into tasks (environment_id, id, order_id, result_version, result_status, status,
      opened_at, updated_at, focus_id, user_id, kind)
    select environment_id, gen_random_uuid(), id,
      (select 1 + count(*) from tasks where focus_id = $1 and kind = $2), 'final', 'requested',
      now(), now(), id, user_id, $2
    from orders where id = $1 returning id`,
    [orderId, kind],
  )
  return rows[0].id
}
