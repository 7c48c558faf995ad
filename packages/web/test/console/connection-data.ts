import type { ConsoleSite } from './console-site.ts'

const MESSAGE = [
  'MSH|^~\\&|LAB|QUEST|SALUS|1234567890|20260301120000||ORU^R01|R1|P|2.3',
  'PID|1|A17|||MUSTER^PAT||19900412|F',
].join('\r')

/** Stores a connection that sends nothing, with a message that was rejected. */
export async function makeConnection({ harness, manage, teamId }: ConsoleSite): Promise<void> {
  const config = {
    connection: 'mtl-test',
    lab: 'mtl',
    profile: 'hl7-2.3-legacy',
    time_zone: 'America/New_York',
    orders: { kind: 'folder', dir: '/nonexistent' },
  }
  const path = `/team/${teamId}/sandbox/lab_connection/mtl-test`
  const { connection } = await manage('PUT', path, { config })
  await harness.database.pool.query(
    `insert into lab_messages (id, gateway, environment_id, control_id, content_type, content,
      content_hash, state, problem_class, problem, received_at)
    select gen_random_uuid(), 'hl7:mtl-test', environment_id, 'R1', 'x-application/hl7-v2+er7', $2,
      encode(sha256($2), 'hex'),
      'failed', 'unreadable', 'wrong_processing_id', now()
    from lab_connections where id = $1 on conflict do nothing`,
    [connection.id, Buffer.from(MESSAGE)],
  )
}
