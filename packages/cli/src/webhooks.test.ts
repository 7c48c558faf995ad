import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '@salus/sdk/webhooks'
import { type ReceivedMessage, startReceiver } from './testing/local-server.ts'
import { startSalus, startTestServer, type TestServer } from './testing/salus-process.ts'
import type { FeedEvent } from './webhook-feed.ts'
import { makeSecret } from './webhook-forwarding.ts'

const SECRET = makeSecret()
const DAY_MS = 86_400_000

let server: TestServer
let userId: string
let samples = 0

before(async () => {
  server = await startTestServer({
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
  })
  await untilCodesAreLoaded()
  userId = (await salus('users', 'create', 'alex')).stdout.trim()
  await post('/v2/link/provider/manual/health_connect', { user_id: userId })
})

after(() => server.stop())

const environment = () => ({ SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory })

function salus(...args: string[]) {
  return startSalus(args, environment()).result
}

const webhooks = (...args: string[]) => salus('webhooks', ...args)

/** Listens until the test ends it. */
async function listen(t: TestContext, ...args: string[]) {
  const running = startSalus(['webhooks', 'listen', ...args], environment())
  t.after(() => running.child.kill('SIGKILL'))
  await until(() => running.output.stderr.includes('Listening to'))
  return {
    ...running,
    lines: () => running.output.stdout.split('\n').slice(0, -1),
    end() {
      running.child.kill('SIGINT')
      return running.result
    },
  }
}

async function post(path: string, body: object): Promise<void> {
  const { api_key, management_key } = server.keys
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-service-api-key': api_key,
      'x-management-key': management_key,
    },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200, await response.text())
}

/** Uploads a sample that was not there, which raises one event. */
async function uploadSample(): Promise<void> {
  const at = new Date(Date.now() - DAY_MS + samples++ * 1000).toISOString()
  const sample = { value: 61, unit: 'bpm', start_date: at, end_date: at, type: 'watch' }
  const body = { stage: 'daily', provider: 'health_connect', data: [sample] }
  await post(`/v2/timeseries/${userId}/heartrate`, body)
}

/** A first start loads diagnosis codes in one transaction, behind which the feed of events waits. */
async function untilCodesAreLoaded(): Promise<void> {
  const url = `${server.url}/v3/insurance/search/diagnosis?diagnosis_query=E11`
  const headers = { 'x-service-api-key': server.keys.api_key }
  while ((await fetch(url, { headers })).status === 503) await sleep(200)
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isSo()) {
    assert.ok(performance.now() < deadline, 'it takes too long')
    await sleep(20)
  }
}

/** Asks again until the answer is such: what came of an attempt is stored a moment later. */
async function untilPrinted(pattern: RegExp, ...args: string[]): Promise<void> {
  let printed = ''
  for (let tries = 0; tries < 10 && !pattern.test(printed); tries++) {
    printed = (await webhooks(...args)).stdout
  }
  assert.match(printed, pattern)
}

const idsOf = (messages: ReceivedMessage[]) => messages.map(({ headers }) => headers['webhook-id'])

describe('salus webhooks listen', () => {
  it('prints events as they happen, without what they tell about the person', async (t) => {
    const listening = await listen(t)
    await uploadSample()
    await until(() => listening.lines().length === 1)
    const line = new RegExp(
      `^\\S+\\+00:00  daily\\.data\\.heartrate\\.created +${userId}  msg_\\w{26}$`,
    )
    assert.match(listening.lines().join(), line)
    const { code, stderr } = await listening.end()
    assert.equal(code, 130)
    const [begin, end] = stderr.split('\n')
    assert.match(begin ?? '', /^Listening to the sandbox of team \S+, after position \S+\.$/)
    assert.match(end ?? '', /^salus: Stopped after 1 event\. Go on with --after \d+-\d+\.$/)
  })

  it('begins where it is told to, and prints only some types, with payloads', async (t) => {
    const listening = await listen(t, '--after', '0-0', '--type', 'provider.*', '--json')
    await until(() => listening.lines().length === 1)
    const { position, event_type, payload } = JSON.parse(listening.lines()[0] ?? '')
    assert.match(position, /^\d+-\d+$/)
    assert.equal(event_type, 'provider.connection.created')
    assert.equal(payload.user_id, userId)
    assert.equal(payload.data.provider.slug, 'health_connect')
    await listening.end()
  })

  it('ends by itself after as many events as it is told', async () => {
    const { code, stdout, stderr } = await webhooks('listen', '--after', '0-0', '--limit', '1')
    assert.equal(code, 0)
    assert.match(stdout, /^\S+ {2}provider\.connection\.created .*\n$/)
    assert.match(stderr, /\nStopped after 1 event\. Go on with --after \d+-\d+\.\n$/)
  })

  it('forwards with a secret of its own, and tells how it went', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const listening = await listen(t, '--forward', `${receiver.url}/hook`)
    await uploadSample()
    await until(() => receiver.messages.length === 1)
    const { stdout, stderr } = await listening.end()
    const secret = /^Signing secret: (whsec_\S+)$/m.exec(stderr)?.[1] ?? ''
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.messages
    assert.equal(verifyWebhook(body, headers, secret).event_type, 'daily.data.heartrate.created')
    assert.match(stderr, new RegExp(`^ {2}→ 204 in \\d+ ms {2}${headers['webhook-id']}$`, 'm'))
    assert.ok(stdout.includes(`  ${headers['webhook-id']}\n`))
  })

  it('waits for a receiver that starts again', async (t) => {
    const first = await startReceiver()
    await first.close()
    const listening = await listen(t, '--forward', first.url, '--secret', SECRET)
    await uploadSample()
    await until(() => listening.output.stderr.includes('connection refused'))
    const receiver = await startReceiver(undefined, first.port)
    t.after(() => receiver.close())
    await until(() => listening.output.stderr.includes('→ 204'))
    const { stderr } = await listening.end()
    assert.equal(receiver.messages.length, 1)
    assert.match(stderr, /→ connection refused in \d+ ms {2}msg_\w+; again in 0\.5 s$/m)
    assert.match(stderr, /Stopped after 1 event: 1 forwarded, 0 failed\./)
    assert.ok(!stderr.includes('whsec_'), 'a given secret is not repeated')
  })

  it('loses and repeats nothing when the server is killed and comes back', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const target = ['--forward', receiver.url, '--secret', SECRET]
    const listening = await listen(t, '--after', '0-0', '--json', ...target)
    for (let count = 0; count < 3; count++) await uploadSample()
    await until(() => listening.lines().length >= 3)
    for (let count = 0; count < 3; count++) await uploadSample()
    await server.kill()
    await until(() => listening.output.stderr.includes('Trying again.'))
    await server.startAgain()
    for (let count = 0; count < 3; count++) await uploadSample()
    const isAll = ({ stdout }: { stdout: string }) => JSON.parse(stdout).length === samples + 1
    const list = await webhooks('events', '--json', '--limit', '300')
    assert.ok(isAll(list), 'every upload and the connection raised an event')
    await until(() => receiver.messages.length >= samples + 1)
    const { stderr } = await listening.end()
    const events = listening.lines().map((line) => JSON.parse(line) as FeedEvent)
    const ids = JSON.parse(list.stdout).map(({ id }: { id: string }) => id)
    assert.deepEqual(events.map(({ id }) => id).sort(), ids.toSorted())
    assert.deepEqual(idsOf(receiver.messages).sort(), ids.toSorted())
    for (const { body, headers } of receiver.messages) verifyWebhook(body, headers, SECRET)
    assert.match(stderr, /^Connected again, after position \S+\.$/m)
  })

  it('ends with 1 for a wrong key, an unknown team and a server that is not there', async () => {
    const id = '11111111-1111-4111-8111-111111111111'
    const cases: [string[], string][] = [
      [
        ['--management-key', 'mg_wrong'],
        'The management key is missing, unknown or revoked. It came from --management-key.',
      ],
      [['--team', id], 'Team not found.'],
      [['--organization', id, '--team', id], 'Organization not found.'],
      [['--after', 'now'], 'after: Input has characters that are not allowed.'],
      [['--secret', SECRET], '--secret signs what --forward sends. Give both.'],
    ]
    const check = async ([args, message]: [string[], string]) => {
      const { code, stdout, stderr } = await webhooks('listen', ...args)
      assert.deepEqual([code, stdout, stderr], [1, '', `salus: ${message}\n`])
    }
    await Promise.all(cases.map(check))
    const dead = await startReceiver()
    await dead.close()
    const { code, stderr } = await webhooks('listen', '--url', dead.url)
    assert.equal(code, 3)
    assert.match(stderr, /^salus: No server runs at /)
  })

  it('refuses options that cannot be meant, and types that no event has', async () => {
    const bad: [string, string][] = [
      ['--forward', 'localhost:3000'],
      ['--forward', 'http://a:b@localhost/'],
      ['--secret', 'whsec_?'],
      ['--environment', 'staging'],
    ]
    const check = async ([option, value]: [string, string]) => {
      const { code, stderr } = await webhooks('listen', `${option}=${value}`)
      assert.equal(code, 2)
      assert.match(stderr, new RegExp(`^error: option '${option} .+ argument '.+' is invalid\\.`))
    }
    await Promise.all(bad.map(check))
    const { code, stderr } = await webhooks('listen', '--type', 'daily.data.hartrate.*')
    assert.equal(code, 1)
    assert.match(stderr, /^salus: event_type\.0: No event has this type/)
  })
})

describe('salus webhooks', () => {
  // First: from then on there is a webhook that recovers them.
  it('tells why nobody got an event, and that there are older ones', async () => {
    const { stdout, stderr } = await webhooks('events', '--status', 'unsent', '--limit', '1')
    assert.match(stdout, /^\S+ {2}daily\.data\.heartrate\.created .+/m)
    assert.match(stderr, /older ones: see --limit/)
    const json = await webhooks('events', '--status', 'unsent', '--json')
    const reasons = JSON.parse(json.stdout).map(
      (event: { unsent_reason: string }) => event.unsent_reason,
    )
    assert.deepEqual(new Set(reasons), new Set(['no_endpoint']))
    const other = await webhooks('events', '--environment', 'production')
    assert.deepEqual([other.stdout, other.stderr], ['', 'No events.\n'])
  })

  it('creates a webhook, sends it an example and shows what became of it', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const created = await webhooks(
      ...['create', receiver.url, '--type', 'daily.data.heartrate.*', '--type', 'provider.*'],
      ...['--description', 'Backend', '--rate-limit', '50'],
    )
    assert.equal(created.code, 0, created.stderr)
    const [, webhook = '', secret = ''] =
      /^Webhook {2}(\S+)\nSecret {3}(whsec_\S+)\n$/.exec(created.stdout) ?? []
    const list = await webhooks('list')
    assert.match(
      list.stdout,
      new RegExp(
        `^${webhook}  ${receiver.url}  daily\\.data\\.heartrate\\.\\*, provider.+ 50  enabled`,
        'm',
      ),
    )

    const type = 'daily.data.steps.created'
    const example = await webhooks('send-example', '--webhook', webhook, '--type', type)
    const id = example.stdout.trim()
    await until(() => receiver.messages.length === 1)
    const [{ body, headers } = { body: '', headers: {} }] = receiver.messages
    assert.equal(headers['webhook-id'], id)
    assert.equal(verifyWebhook(body, headers, secret).event_type, type)

    const resent = await webhooks('resend', id, '--webhook', webhook)
    assert.equal(resent.stdout, `The ${type} event ${id} is sent again.\n`)
    const row = new RegExp(`^\\S+  ${type} .+${id}  delivered \\(2 attempts\\)$`, 'm')
    await untilPrinted(row, 'events', '--type', 'daily.data.steps.*')
    const attempts = await webhooks('attempts', '--webhook', webhook)
    assert.match(attempts.stdout, new RegExp(`^\\S+  ${type}  ${id} +2  204 +\\d+$`, 'm'))
    const failed = await webhooks('attempts', '--webhook', webhook, '--status', 'failed')
    assert.deepEqual([failed.stdout, failed.stderr], ['', 'No attempts.\n'])

    await webhooks('recover', '--webhook', webhook, '--since', '2020-01-01')
    await until(() => new Set(idsOf(receiver.messages)).size === samples + 2)
  })

  it('takes --url for the server, and not for the address of a webhook', async () => {
    const { code, stderr } = await webhooks('create', '--url', 'http://127.0.0.1:1/hook')
    assert.equal(code, 2)
    assert.match(stderr, /^error: missing required argument 'address'/)
    assert.match(
      (await webhooks('create', 'ftp://a')).stderr,
      /^salus: url: The URL is not a plain/,
    )
  })

  it('takes the only team of an organization, and names them where there are several', async () => {
    const { management_key, organization_id, team_id } = server.keys
    const bare = { SALUS_URL: server.url, SALUS_MANAGEMENT_KEY: management_key }
    const args = ['webhooks', 'list', '--organization', organization_id]
    const only = await startSalus(args, bare).result
    assert.equal(only.code, 0, only.stderr)
    await post(`/v1/org/${organization_id}/team`, { name: 'Second', region: 'us' })
    const { code, stderr } = await startSalus(args, bare).result
    assert.equal(code, 1)
    assert.match(stderr, /^salus: Which team\? The organization has several: give --team ID\.$/m)
    assert.match(stderr, new RegExp(`^  ${team_id}  My team$`, 'm'))
    assert.match(stderr, /^ {2}\S{36} {2}Second$/m)
  })
})
