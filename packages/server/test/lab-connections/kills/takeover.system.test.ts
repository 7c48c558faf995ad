import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import type pg from 'pg'
import { createWiredLaboratory, type WiredLaboratory } from '../wired-laboratory.ts'
import { type Actor, type Actors, openActors } from './actors.ts'

/** Longest takeover on a busy machine; on a quiet one it takes some two seconds. */
const PATIENCE_MS = 60_000
/** Longer than the pause between two looks of a process at the connections, or at the folder. */
const SEVERAL_LOOKS_MS = 6000

let wired: WiredLaboratory
let actors: Actors
let folder: string
/** Ids of the connections that listen, and that poll the folder. */
const ids = { listener: '', poller: '' }
type Side = keyof typeof ids
/** Processes of Salus that live, by the name of their database sessions. */
const living = new Map<string, Actor>()
/** Ids of the messages that the laboratories sent. */
const sent: string[] = []
const seconds: number[] = []

before(async () => {
  wired = await createWiredLaboratory(undefined, { isElsewhere: true })
  actors = await openActors(wired)
  folder = join(wired.harness.config.dataDirectory, 'results')
  mkdirSync(folder)
  await wired.connect()
  await start('a')
  await waitForOwner('listener', ['a'])
  const first = living.get('a') as Actor
  await start('b')
  // While the first is not looking, the second becomes the owner of the other connection.
  process.kill(first.pid, 'SIGSTOP')
  await connectFolder()
  await waitForOwner('poller', ['b'])
  process.kill(first.pid, 'SIGCONT')
})
after(async () => {
  await actors?.close()
  await wired?.close()
})

async function start(name: string): Promise<void> {
  living.set(name, await actors.startSalus(name))
}

/** Stores a connection of another team to a folder, and finds the ids of both. */
async function connectFolder(): Promise<void> {
  const { harness } = wired
  const { id: teamId } = await harness.makeTeam()
  const path = `/v1/org/${harness.organizationId}/team/${teamId}/sandbox/lab_connection/folder`
  const config: LabConnectionConfig = {
    connection: 'folder',
    lab: 'quest',
    profile: 'hl7-2.3-legacy',
    time_zone: 'America/New_York',
    results: { kind: 'folder-poll', dir: folder, every_seconds: 5, ready: 'done-file' },
  }
  const headers = { 'x-management-key': harness.managementKey }
  const stored = await harness.call('PUT', path, { config }, headers)
  assert.equal(stored.status, 200, stored.text)
  ids.poller = stored.body.connection.id
}

const query = async (text: string, values: unknown[] = []) =>
  (await wired.harness.database.pool.query(text, values)).rows

const lockOf = (side: Side) => `lab connection ${ids[side]}`
const LOCKS = `select application_name as name, pg_stat_activity.pid from pg_locks
  join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
  where locktype = 'advisory' and granted and objsubid = 1
    and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 3)`

async function ownerOf(side: Side): Promise<{ name: string; pid: number } | undefined> {
  if (ids.listener === '') {
    const rows = await query(`select id from lab_connections where config::text like '%listen%'`)
    ids.listener = rows[0].id
  }
  return (await query(LOCKS, [lockOf(side)]))[0]
}

/** Waits until a process with one of the names owns a side and receives there. */
async function waitForOwner(side: Side, names: readonly string[]): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const owner = await ownerOf(side)
    const isOwned = owner !== undefined && names.includes(owner.name)
    if (isOwned && (side === 'poller' || (await isListening()))) return owner.name
    assert.ok(performance.now() < until, `no other process owns the ${side}`)
    await pause(20)
  }
}

function isListening(): Promise<boolean> {
  const socket = connect(wired.resultsPort, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}

/** A result that belongs to no order, and is kept for review. */
const messageOf = (id: string) =>
  [
    `MSH|^~\\&|LAB|QUEST|SALUS||20260301090000||ORU^R01|${id}|T|2.3`,
    'PID|1|9|9||DOE^ROBIN||19700101|F',
    'ORC|RE|SA99999999|Q1',
    'OBR|1|SA99999999|Q1|200^Test^L|||202603010800|||||||||||||||20260301085900||CH|F',
    'OBX|1|NM|X200^Test^L||101|mg/dL|70-99|H|||F',
  ].join('\r')

/** Sends and lays down messages until it is stopped; each is repeated until it is accepted. */
function keepSending(): () => Promise<void> {
  let isStopped = false
  const overTheWire = async () => {
    while (!isStopped) {
      const id = `W${sent.length}`
      sent.push(id)
      for (;;) {
        const { MSA } = await wired.laboratory.send(wired.resultsPort, messageOf(id))
        if (MSA?.[0]?.[1] === 'AA') break
        await pause(20)
      }
      await pause(20)
    }
  }
  const intoTheFolder = async () => {
    for (let number = 0; !isStopped; number += 1) {
      layDown(number)
      await pause(100)
    }
  }
  const work = Promise.all([overTheWire(), intoTheFolder()])
  return async () => {
    isStopped = true
    await work
  }
}

/** Lays a file down, and says that it is whole. Names come again, as at some laboratories. */
function layDown(number: number): void {
  const path = join(folder, `${number % 5}.hl7`)
  if (existsSync(path)) return
  const id = `F${sent.length}`
  sent.push(id)
  writeFileSync(path, messageOf(id))
  writeFileSync(`${path}.done`, '')
}

/** Waits until all that was sent is stored, and asserts that nothing is stored twice. */
async function assertStoredOnce(): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const stored = (await query('select control_id as id from lab_messages')).map(({ id }) => id)
    assert.equal(new Set(stored).size, stored.length)
    const missing = sent.filter((id) => !stored.includes(id))
    if (missing.length === 0) return assert.equal(stored.length, sent.length)
    assert.ok(performance.now() < until, `${missing} are lost`)
    await pause(100)
  }
}

/** Ends the owner of each side while messages come, and measures until another one owns it. */
async function takeOver(side: Side, signal: 'SIGKILL' | 'SIGTERM', next: string): Promise<void> {
  const stop = keepSending()
  const name = (await ownerOf(side))?.name ?? ''
  const owner = living.get(name) as Actor
  living.delete(name)
  const startedAt = performance.now()
  await owner.end(signal)
  await waitForOwner(side, [...living.keys()])
  seconds.push((performance.now() - startedAt) / 1000)
  await start(next)
  await stop()
  await assertStoredOnce()
}

describe('the owner of a connection', () => {
  test('is another process soon after it was killed, and no message is lost or stored twice', async (t) => {
    assert.notEqual((await ownerOf('listener'))?.name, (await ownerOf('poller'))?.name)
    await takeOver('listener', 'SIGKILL', 'c')
    await takeOver('poller', 'SIGKILL', 'd')
    await takeOver('listener', 'SIGKILL', 'e')
    t.diagnostic(`taken over after ${seconds.map((each) => each.toFixed(1))} s`)
  })

  test('is another process soon after it stopped as it should', async (t) => {
    seconds.length = 0
    await takeOver('listener', 'SIGTERM', 'f')
    await takeOver('poller', 'SIGTERM', 'g')
    t.diagnostic(`taken over after ${seconds.map((each) => each.toFixed(1))} s`)
  })

  test('receives nothing any more once its database session is cut', async (t) => {
    for (const side of ['listener', 'poller'] as const) {
      const holder = await wired.harness.database.pool.connect()
      try {
        const stop = keepSending()
        await cutOwner(side, holder)
        await assertNobodyReceives(side)
        const startedAt = performance.now()
        await holder.query('select pg_advisory_unlock_all()')
        await waitForOwner(side, [...living.keys()])
        t.diagnostic(`${side} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
        await stop()
      } finally {
        holder.release(true)
      }
      await assertStoredOnce()
    }
  })
})

/** Cuts the session of an owner, and has its lock before any process of Salus can take it. */
async function cutOwner(side: Side, holder: pg.PoolClient): Promise<void> {
  const owner = await ownerOf(side)
  const taken = holder.query('select pg_advisory_lock(hashtextextended($1, 3))', [lockOf(side)])
  const waits = `select from pg_locks where locktype = 'advisory' and not granted`
  while ((await query(waits)).length === 0) await pause(10)
  await query('select pg_terminate_backend($1)', [owner?.pid])
  await taken
}

/** With the lock elsewhere, the port stays closed and files stay where they are. */
async function assertNobodyReceives(side: Side): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (side === 'listener' && (await isListening())) {
    assert.ok(performance.now() < until, 'the process still listens')
    await pause(20)
  }
  // What was in work is stored to its end.
  await pause(SEVERAL_LOOKS_MS)
  const count = `select count(*)::int as count from lab_messages where control_id like $1`
  const pattern = side === 'listener' ? 'W%' : 'F%'
  const [before] = await query(count, [pattern])
  await pause(SEVERAL_LOOKS_MS)
  assert.equal(await isListening(), side === 'poller')
  assert.deepEqual((await query(count, [pattern]))[0], before)
}
