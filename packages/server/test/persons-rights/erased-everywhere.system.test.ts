import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS } from '@salus/contracts/time-units'
import { addJob, type JobKind } from '@salus/kernel/jobs/jobs'
import { moveContents } from '@salus/lab/inbox'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import {
  UNREADABLE_COLUMNS,
  UNSEARCHED_TABLES,
} from '../../../rights/src/erasure/remains/search-exceptions.registry.ts'
import { type Answer, createHarness, type Harness } from '../harness.ts'
import { orderBody } from '../orders/order-bodies.ts'
import { isManagementCase, ROUTE_CASES, requestOf, USER_INFO } from '../route-cases.ts'
import { makeSubject, ownIds, type Subject } from '../subject.ts'
import { allowMoves, moveEvents } from '../webhooks/moved-events.ts'
import { dumpEverything } from './whole-dump.ts'

/** A user of every route, whose words are unique, and who is erased. */

/** What the cases of all routes say of people, and what this person says in place of it. */
const WORDS: readonly (readonly [said: string, own: string])[] = [
  ['ada.moreau@example.com', 'quorzella.vexlithorpe@example.net'],
  ['Moreau', 'Vexlithorpe'],
  ['Ada', 'Quorzella'],
  ['1 Main St', '77 Zwyndermoor Alley'],
  ['+15550100', '+15559871234'],
]

/** What a subject has that is of its team, or of people who work there. */
const NOT_OF_PERSON = new Set([
  'organizationId',
  'teamId',
  'managedTeamId',
  'integrationTeamId',
  'teamKeyId',
  'managementKeyId',
  'webhookId',
  'connectionName',
  'sendingConnectionName',
  'receivedMessageId',
  'smartClientId',
  'smartAssertion',
  'eventId',
  'labTestId',
  'pendingLabTestId',
  'kitTestId',
  'savedViewId',
  'queryId',
  'managedQueryId',
  'visitKey',
  'siteKey',
  'customCredentialId',
  // Payers and strangers whose results came to the team.
  'rawResultId',
  'rejectedResultId',
  'operatorResultId',
  'runId',
  'failedMessageId',
  'consoleSessionId',
  'consoleToken',
  'signInCode',
  'organizationUserId',
  'removedOrganizationUserId',
  'invitedOrganizationUserId',
  'invitationCode',
  'codeForPassword',
  'codeForPasskey',
  'invitationRegistration',
  'plainUserToken',
  'beginningUserToken',
  'completeUserToken',
  'registration',
  'firstTotpCode',
  'passkeyId',
])

let harness: Harness
before(async () => {
  harness = await createHarness({}, { fillDemoTeam: async () => {} })
})
after(() => harness?.close())

function inOwnWords(text: string): string {
  return WORDS.reduce((changed, [said, own]) => changed.replaceAll(said, own), text)
}

/** The harness of a user with unique words. */
function ownHarness(): Harness {
  return {
    ...harness,
    call(method, url, body, headers) {
      const isPlain = typeof body === 'object' && !Buffer.isBuffer(body)
      return harness.call(
        method,
        url,
        isPlain ? JSON.parse(inOwnWords(JSON.stringify(body))) : body,
        headers,
      )
    },
  }
}

async function walkAllRoutes(subject: Subject): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  const { apiKey, managementKey } = harness
  const [lasting, ending] = [false, true].map((isEnding) =>
    ROUTE_CASES.filter(({ method }) => (method === 'DELETE') === isEnding),
  )
  for (const entry of [...(lasting ?? []), ...(ending ?? [])]) {
    // What hides the person comes at the end, and what ends the first team's own key never.
    const hides = entry.method === 'DELETE' && entry.path === '/v2/user/{user_id}'
    if (hides || entry.path.endsWith('/erasure')) continue
    const { url, payload, headers } = requestOf(entry, subject)
    const key = isManagementCase(entry)
      ? { 'x-management-key': managementKey }
      : { 'x-service-api-key': apiKey }
    // The address of an insurer is its own.
    const isPersonal = typeof payload === 'string' && !entry.path.includes('payor')
    const body = isPersonal ? inOwnWords(payload) : payload
    const answer = await harness.call(entry.method, url, body, { ...headers, ...key })
    answers.set(`${entry.method} ${entry.path}`, answer)
  }
  return answers
}

/** Lets the jobs run that are due, until none is left that can. */
async function runJobs(): Promise<void> {
  const worker = await harness.startJobs()
  const due = `select count(*)::int as jobs from graphile_worker.jobs
    where run_at <= now() and attempts < max_attempts`
  for (let left = 300; left > 0; left -= 1) {
    const { rows } = await harness.database.pool.query(due)
    if (rows[0].jobs === 0) break
    await sleep(50)
  }
  await worker.stop()
}

/** Where which of the words are, by the dump. */
async function whereAre(words: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  const any = new RegExp(words.map((word) => RegExp.escape(word)).join('|'), 'gi')
  for await (const { place, text } of dumpEverything(harness)) {
    const said = text.match(any) ?? []
    if (said.length > 0) found.set(place, new Set([...(found.get(place) ?? []), ...said]))
  }
  return found
}

/** Never run here: it stands for what waits for its next attempt when a user is erased. */
const LATE_JOB: JobKind<{ environmentId: string; userId: string }> = {
  name: 'extend-demo',
  maxAttempts: 25,
}

const erase = () =>
  eraseDeletedUsers(
    { ...harness.dependencies, pool: harness.database.pool },
    new AbortController().signal,
  )

test('nothing in any store holds a word or an id of a user of every route who was erased', async () => {
  const { pool } = harness.database
  const own = ownHarness()
  const subject = await makeSubject(own)
  const answers = await walkAllRoutes(subject)
  const walked = [...answers.values()].filter(({ status }) => status < 300).length
  assert.ok(walked > answers.size - 32, `${walked} of ${answers.size}`)
  const key = { 'x-idempotency-key': 'for quorzella.vexlithorpe@example.net' }
  const order = orderBody(subject.userId, subject.labTestId)
  assert.equal((await own.call('POST', '/v3/order', order, key)).status, 200)
  const refusal = await own.call(
    'POST',
    '/v3/order/create',
    { ...order, activate_by: '2020-01-01' },
    key,
  )
  assert.equal(refusal.status, 400)
  await runJobs()
  const { rows: vague } = await pool.query(`select distinct event_type from events
    where event_type like 'lab%' and subject_ids is null`)
  assert.deepEqual(vague, [], 'each event of a laboratory has the records that it is about')
  const later = new Date(harness.clock.now().getTime() + DAY_MS)
  await pool.query('delete from waiting_events')
  await allowMoves(harness)
  await pool.query("update lab_message_moves set created_at = now() - interval '2 hours'")
  assert.ok((await moveEvents(harness, later)) > 10)
  const { db, clickhouse } = harness.dependencies
  const moving = { db, clickhouse, clock: { now: () => later } }
  assert.ok((await moveContents(moving, new AbortController().signal)) > 0)
  const late = { userId: subject.userId, environmentId: subject.teamId }
  await addJob(harness.database.db, LATE_JOB, late)
  // Whoever else was made by the way says the same words.
  await pool.query('update legal_holds set released_at = placed_at where released_at is null')
  const { rows: people } = await pool.query(
    "update users set deleted_at = '2020-01-01' returning id, client_user_id",
  )
  const words = [
    ...WORDS.map(([, word]) => word),
    ...people.flatMap(({ id, client_user_id }) => [id, client_user_id]),
    ...ownIds(subject)
      .filter(([name]) => !NOT_OF_PERSON.has(name))
      .map(([, value]) => value),
  ]
  assert.ok((await whereAre(words)).size > 30, 'the search finds what there is')
  await erase()
  assert.deepEqual((await pool.query('select id from users')).rows, [])
  const kept = new Set([
    'postgresql public.audit_rows',
    ...[0, 1, 2, 3].map((slot) => `postgresql salus_audit.audit_rows_${slot}`),
    'postgresql public.erasures',
  ])
  const left = [...(await whereAre(words))].filter(([place]) => !kept.has(place))
  assert.deepEqual(left, [])
  const { rows: receipts } = await pool.query('select receipt from erasures where user_id = $1', [
    subject.userId,
  ])
  const [, payload = ''] = receipts[0].receipt.split('.')
  const { version, remaining, searched } = JSON.parse(String(Buffer.from(payload, 'base64url')))
  assert.deepEqual([version, remaining], [2, []])
  assert.ok(searched.postgresql_tables > 60 && searched.words > 4, JSON.stringify(searched))
})

test('a receipt lists what holds a word of the person and is not removed with them', async () => {
  const email = 'wrenlock.tamsin@example.net'
  const { body: user } = await harness.call('POST', '/v2/user', { client_user_id: 'tamsin-w-0007' })
  const info = { ...USER_INFO, first_name: 'Tamsin', last_name: 'Wrenlock', email }
  await harness.call('PATCH', `/v2/user/${user.user_id}/info`, info)
  const { pool } = harness.database
  await pool.query('update team_api_keys set label = $1', [`Server of ${email.toUpperCase()}`])
  await pool.query(
    `insert into lab_messages (id, gateway, environment_id, content_type, content, state,
      problem_class, problem, received_at)
    select gen_random_uuid(), 'sandbox', environment_id, 'text/plain', $1, 'failed', 'unreadable',
      'wrong_content_type', now() from users where id = $2`,
    [Buffer.from('PID|1||||Wrenlock^Tamsin'), user.user_id],
  )
  await harness.files.write('imports', 'left-over', Buffer.from(`<Me email="${email}"/>`), 1_000)
  await pool.query("update users set deleted_at = '2020-01-01' where id = $1", [user.user_id])
  await erase()
  const { data } = (await harness.call('GET', '/v2/erasure')).body
  const sent = data.find((one: { user_id: string }) => one.user_id === user.user_id)
  assert.equal(sent.status, 'completed')
  const { rows } = await pool.query('select count(*)::int as rows from team_api_keys')
  assert.deepEqual(sent.statement.remaining, [
    { store: 'postgresql', table: 'team_api_keys', rows: rows[0].rows },
    { store: 'postgresql', table: 'lab_messages', rows: 1 },
    { store: 'files', table: 'imports', rows: 1 },
  ])
})

test('no transaction waits while the files of everybody are searched', async () => {
  const { body: user } = await harness.call('POST', '/v2/user', { client_user_id: 'read-0001' })
  const { pool } = harness.database
  await pool.query("update users set deleted_at = '2020-01-01' where id = $1", [user.user_id])
  await harness.files.write('imports', 'of-no-one', Buffer.from('<Me/>'), 1_000)
  const open: number[] = []
  const { files } = harness.dependencies
  const list = files.list.bind(files)
  files.list = async function* () {
    const { rows } = await pool.query(
      `select count(*)::int as open from pg_locks
      where relation = 'users'::regclass and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())`,
    )
    open.push(rows[0].open)
    yield* list()
  }
  await erase().finally(() => {
    files.list = list
  })
  assert.deepEqual(open, [0])
  const { data } = (await harness.call('GET', '/v2/erasure')).body
  const sent = data.find((one: { user_id: string }) => one.user_id === user.user_id)
  assert.ok(sent.statement.searched.files > 0)
  await harness.files.remove('imports', 'of-no-one')
})

test('the job that erases does not find itself', async () => {
  const { body: user } = await harness.call('POST', '/v2/user', { client_user_id: 'by-a-job-0001' })
  const { body: asked } = await harness.call('POST', `/v2/user/${user.user_id}/erasure`)
  harness.clock.advance(121)
  const { pool } = harness.database
  await pool.query('update graphile_worker._private_jobs set run_at = now()')
  await runJobs()
  const { body: erased } = await harness.call('GET', `/v2/erasure/${asked.id}`)
  assert.deepEqual([erased.status, erased.statement.remaining], ['completed', []])
})

test('every column of bytes is searched, or known to be unreadable', async () => {
  const { rows } =
    await harness.database.pool.query(`select table_name || '.' || column_name as name
    from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`)
  const there = rows.map(({ name }) => name)
  const unknown = Object.keys(UNREADABLE_COLUMNS).filter((name) => !there.includes(name))
  assert.deepEqual(unknown, [])
  const kept = ['audit_log.hash', 'audit_log.previous_hash', 'audit_rows.hash']
  const searched = there.filter((name) => !(name in UNREADABLE_COLUMNS) && !kept.includes(name))
  assert.deepEqual(searched.sort(), [
    'events.body',
    'lab_messages.content',
    'lab_outgoing_messages.answer_content',
    'lab_outgoing_messages.content',
    'vendor_messages.body',
  ])
  const tables = await harness.database.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const names = tables.rows.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(UNSEARCHED_TABLES).filter((name) => !names.includes(name)),
    [],
  )
})
