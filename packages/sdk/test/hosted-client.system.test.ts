import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type HarnessServer, startHarnessServer } from '../../cli/src/testing/harness-server.ts'

// Public clients of a hosted service with the same contract, as npm installs them, with
// the address and the key of a Salus server. docs/coming-from-hosted.md lists these calls, and the
// methods of the newer client.
const CLIENTS = {
  '@junction-api/sdk': { version: '1.3.0', methods: 205 },
  '@tryvital/vital-node': { version: '3.1.551', methods: 197 },
}

// biome-ignore lint/suspicious/noExplicitAny: a client that is installed while the test runs
type Client = any
type Facts = { user: string; test: string; order: string; team: string }

const DAYS = { startDate: '2026-01-01', endDate: '2026-01-02' }
const PATIENT = {
  firstName: 'Ada',
  lastName: 'Moreau',
  dob: '1990-04-12',
  gender: 'female',
  phoneNumber: '555-010-0199',
  email: 'ada@example.com',
}
const ADDRESS = {
  firstLine: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}

/** Each call, and what its answer must say. In the order in which they are made. */
const CALLS: Record<string, (client: Client, facts: Facts) => Promise<unknown>> = {
  'user.create': async (client, facts) => {
    facts.user = (await client.user.create({ clientUserId: 'hosted' })).userId
    return facts.user
  },
  'user.get': async (client, { user }) => (await client.user.get(user)).userId === user,
  'user.getByClientUserId': async (client, { user }) =>
    (await client.user.getByClientUserId('hosted')).userId === user,
  'user.getAll': async (client) => (await client.user.getAll()).users.length === 1,
  'user.patch': async (client, { user }) => {
    await client.user.patch(user, { fallbackTimeZone: 'Asia/Tokyo' })
    return (await client.user.get(user)).fallbackTimeZone.id === 'Asia/Tokyo'
  },
  'user.getTeamMetrics': async (client) => (await client.user.getTeamMetrics()) !== undefined,
  'link.connectManualProvider': async (client, { user }) =>
    (await client.link.connectManualProvider('manual', { userId: user })).success,
  'user.getConnectedProviders': async (client, { user }) =>
    (await client.user.getConnectedProviders(user)).providers[0].slug === 'manual',
  'link.token': async (client, { user }) => (await client.link.token({ userId: user })).linkToken,
  'user.getUserSignInToken': async (client, { user }) =>
    (await client.user.getUserSignInToken(user)).signInToken,
  'providers.getAll': async (client) => (await client.providers.getAll()).length > 5,
  'vitals.stepsGrouped': async (client, { user }) =>
    typeof (await client.vitals.stepsGrouped(user, DAYS)).groups === 'object',
  'vitals.heartrateGrouped': async (client, { user }) =>
    typeof (await client.vitals.heartrateGrouped(user, DAYS)).groups === 'object',
  'activity.get': async (client, { user }) =>
    Array.isArray((await client.activity.get(user, DAYS)).activity),
  'sleep.get': async (client, { user }) =>
    Array.isArray((await client.sleep.get(user, DAYS)).sleep),
  'workouts.get': async (client, { user }) =>
    Array.isArray((await client.workouts.get(user, DAYS)).workouts),
  'body.get': async (client, { user }) => Array.isArray((await client.body.get(user, DAYS)).body),
  'meal.get': async (client, { user }) => Array.isArray((await client.meal.get(user, DAYS)).meals),
  'introspect.getUserResources': async (client) =>
    Array.isArray((await client.introspect.getUserResources()).data),
  'team.getSourcePriorities': async (client) =>
    (await client.team.getSourcePriorities()) !== undefined,
  'labTests.getLabs': async (client) => (await client.labTests.getLabs()).length > 0,
  'labTests.getPaginated': async (client, facts) => {
    const { data } = await client.labTests.getPaginated({ collectionMethod: 'walk_in_test' })
    facts.test = data[0].id
    return facts.test
  },
  'labTests.getById': async (client, { test }) => (await client.labTests.getById(test)).id === test,
  'labTests.getMarkers': async (client) => (await client.labTests.getMarkers()).markers.length > 0,
  'labTests.createOrder': async (client, facts) => {
    const { order } = await client.labTests.createOrder({
      userId: facts.user,
      orderSet: { labTestIds: [facts.test] },
      patientDetails: PATIENT,
      patientAddress: ADDRESS,
    })
    facts.order = order.id
    return order.userId === facts.user
  },
  'labTests.getOrder': async (client, { order }) =>
    (await client.labTests.getOrder(order)).id === order,
  'labTests.getOrders': async (client) => (await client.labTests.getOrders()).orders.length === 1,
  'labTests.simulateOrderProcess': async (client, { order }) =>
    client.labTests.simulateOrderProcess(order),
  'labTests.getResultRaw': async (client, { order }) =>
    (await untilThere<Client>(() => client.labTests.getResultRaw(order))).results.length > 0,
  'labTests.getResultPdf': async (client, { order }) => {
    const pdf = await client.labTests.getResultPdf(order)
    return (await pdf.arrayBuffer()).byteLength > 1_000
  },
  'user.delete': async (client, { user }) => (await client.user.delete(user)).success,
}

async function untilThere<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt > 50) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

let server: HarnessServer
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salus-hosted-client-'))
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const packages = Object.entries(CLIENTS).map(([name, { version }]) => `${name}@${version}`)
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe' })
  server = await startHarnessServer()
  await server.harness.startJobs()
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.stop()
})

test('calls of the public client of a hosted service work with another address and key', async () => {
  const require = createRequire(join(folder, 'package.json'))
  const { VitalClient } = require('@tryvital/vital-node')
  const client = new VitalClient({
    apiKey: server.keys.api_key,
    environment: server.url,
    maxRetries: 0,
  })
  const facts: Facts = { user: '', test: '', order: '', team: server.keys.team_id }
  const failed: Record<string, string> = {}
  for (const [name, call] of Object.entries(CALLS)) {
    const outcome = await call(client, facts).catch((error: Error) => error)
    if (outcome instanceof Error) failed[name] = outcome.message.slice(0, 500)
    else if (!outcome) failed[name] = 'another answer'
  }
  assert.deepEqual(failed, {})
})

const readDocument = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

interface ClientMethod {
  name: string
  /** `GET v2/user/{}` */
  request: string
}

/** Each method of an installed client with the request that it sends, read from its source. */
function listMethods(client: string): ClientMethod[] {
  const root = join(folder, 'node_modules', client, 'dist/cjs/api/resources')
  return globSync('**/client/Client.js', { cwd: root }).flatMap((file) => {
    const resource = file.split('/')[0]
    const text = readFileSync(join(root, file), 'utf8')
    const parts = text.matchAll(
      /^ {4}(?:__)?(\w+)\(.*\) \{$|, (?:`([^`]*)`|"([^"]*)")\),?\s*\n\s*method: "([A-Z]+)"/gm,
    )
    let method = ''
    return [...parts].flatMap(([, name, template, plain, verb]) => {
      if (verb === undefined) method = name ?? ''
      if (verb === undefined) return []
      const path = (template ?? plain ?? '').replaceAll(/\$\{[^}]*\}/g, '{}')
      return [{ name: `${resource}.${method}`, request: `${verb} ${path.replace(/^\/|\/$/g, '')}` }]
    })
  })
}

test('every method of the public clients sends a request that the interface has', () => {
  const { paths } = JSON.parse(readDocument('openapi.json'))
  const known = Object.entries<object>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.slice(1)}`),
  )
  const isSame = (request: string, other: string): boolean => {
    const [asked, has] = [request.split('/'), other.split('/')]
    const isVariable = (part: string | undefined) => part?.startsWith('{')
    const fits = (part: string, at: number) =>
      part === has[at] || isVariable(part) || isVariable(has[at])
    return asked.length === has.length && asked.every(fits)
  }
  for (const [client, { methods: count }] of Object.entries(CLIENTS)) {
    const methods = listMethods(client)
    assert.equal(methods.length, count, client)
    const missing = methods.filter(({ request }) => !known.some((one) => isSame(request, one)))
    assert.deepEqual(missing, [], client)
  }
})

test('the guide lists the methods of the newer client', () => {
  const guide = readDocument('coming-from-hosted.md')
  const missing = listMethods('@junction-api/sdk').filter(({ name }) => {
    const [resource, method] = name.split('.')
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${resource}\` |`))
    return !row?.includes(`\`${method}\``)
  })
  assert.deepEqual(missing, [])
})

test('the guide lists these calls', () => {
  const guide = readDocument('coming-from-hosted.md')
  const missing = Object.keys(CALLS).filter((name) => !guide.includes(`\`${name}\``))
  assert.deepEqual(missing, [])
})
