import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook } from '@salus/sdk/webhooks'
import { createEventSource, type EventSource, until } from '../testing/event-source.ts'
import { type HarnessServer, startHarnessServer } from '../testing/harness-server.ts'
import { type ReceivedMessage, startReceiver } from '../testing/local-server.ts'
import { startSalus } from '../testing/salus-command.ts'
import { makeSecret } from './webhook-forwarding.ts'

const SECRET = makeSecret()

let server: HarnessServer
let source: EventSource

before(async () => {
  server = await startHarnessServer({
    webhooksAllowPrivate: true,
    webhooksAllowHttp: true,
  })
  server.harness.startWebhooks()
  await server.harness.startJobs()
  source = await createEventSource(server)
  // The feed keeps the event of the connection back while older transactions run, also those of
  // other test files. Nothing of it is to come later.
  await source.salus('webhooks', 'listen', '--after', '0-0', '--limit', '1')
})

after(() => server.stop())

const webhooks = (...args: string[]) => source.salus('webhooks', ...args)

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
  it('prints events as they happen, without their data about the person', async (t) => {
    const listening = await source.listen(t)
    await source.uploadSample()
    await until(() => listening.lines().length === 1)
    const line = new RegExp(
      `^\\S+\\+00:00  daily\\.data\\.heartrate\\.created +${source.userId}  msg_\\w{26}$`,
    )
    assert.match(listening.lines().join(), line)
    const { code, stderr } = await listening.end()
    assert.equal(code, 130)
    const [begin, end] = stderr.split('\n')
    assert.match(begin ?? '', /^Listening to the sandbox of team \S+, after position \S+\.$/)
    assert.match(end ?? '', /^salus: Stopped after 1 event\. Continue with --after \d+-\d+\.$/)
  })

  it('begins at the given position, and prints only some types, with payloads', async (t) => {
    const listening = await source.listen(t, '--after', '0-0', '--type', 'provider.*', '--json')
    await until(() => listening.lines().length === 1)
    const { position, event_type, payload } = JSON.parse(listening.lines()[0] ?? '')
    assert.match(position, /^\d+-\d+$/)
    assert.equal(event_type, 'provider.connection.created')
    assert.equal(payload.user_id, source.userId)
    assert.equal(payload.data.provider.slug, 'health_connect')
    await listening.end()
  })

  it('ends by itself after the given number of events', async () => {
    const { code, stdout, stderr } = await webhooks('listen', '--after', '0-0', '--limit', '1')
    assert.equal(code, 0)
    assert.match(stdout, /^\S+ {2}provider\.connection\.created .*\n$/)
    assert.match(stderr, /\nStopped after 1 event\. Continue with --after \d+-\d+\.\n$/)
  })

  it('forwards with a secret of its own, and prints the outcome', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const listening = await source.listen(t, '--forward', `${receiver.url}/hook`)
    await source.uploadSample()
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
    const listening = await source.listen(t, '--forward', first.url, '--secret', SECRET)
    await source.uploadSample()
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
  it('says why no webhook received an event, and that there are older ones', async () => {
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
    assert.equal(resent.stdout, `The ${type} event ${id} was sent again.\n`)
    const row = new RegExp(`^\\S+  ${type} .+${id}  delivered \\(2 attempts\\)$`, 'm')
    await untilPrinted(row, 'events', '--type', 'daily.data.steps.*')
    const attempts = await webhooks('attempts', '--webhook', webhook)
    assert.match(attempts.stdout, new RegExp(`^\\S+  ${type}  ${id} +2  204 +\\d+$`, 'm'))
    const failed = await webhooks('attempts', '--webhook', webhook, '--status', 'failed')
    assert.deepEqual([failed.stdout, failed.stderr], ['', 'No attempts.\n'])

    await webhooks('recover', '--webhook', webhook, '--since', '2020-01-01')
    await until(() => new Set(idsOf(receiver.messages)).size === source.uploads() + 2)
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
    await source.post(`/v1/org/${organization_id}/team`, { name: 'Second', region: 'us' })
    const { code, stderr } = await startSalus(args, bare).result
    assert.equal(code, 1)
    assert.match(stderr, /^salus: The organization has several teams: give --team ID\.$/m)
    assert.match(stderr, new RegExp(`^  ${team_id}  My team$`, 'm'))
    assert.match(stderr, /^ {2}\S{36} {2}Second$/m)
  })
})
