import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openHttpSink } from '../local-sink.ts'
import { request, type ServerProcess, startServer } from '../server-process.ts'
import { until } from '../webhooks/until.ts'
import { type OtlpReceiver, openOtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'

const MANAGEMENT_KEY = 'mg_0123456789abcdefghij'
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const CLIENT_USER_ID = 'someone-who-is-private'

let server: ServerProcess
let receiver: OtlpReceiver
let userId: string
const folder = mkdtempSync(join(tmpdir(), 'salus-telemetry-'))
/** Headers of the webhook messages that arrived. */
const messages: (string | undefined)[] = []

before(async () => {
  receiver = await openOtlpReceiver({ after })
  const sink = await openHttpSink({ after }, (incoming, response) => {
    messages.push(incoming.headers.traceparent as string | undefined)
    response.end()
  })
  server = await startServer(folder, {
    SALUS_MANAGEMENT_KEY: MANAGEMENT_KEY,
    SALUS_LOG_LEVEL: 'info',
    SALUS_SLOW_QUERY_MS: '1',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  })
  await addEndpoint(sink.url)
  await doSomething()
  await server.end('SIGTERM')
})
after(() => rmSync(folder, { recursive: true, force: true }))

async function addEndpoint(url: string): Promise<void> {
  const headers = { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' }
  const call = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${server.baseUrl}${path}`, { headers, ...init })
    assert.ok(answer.ok, path)
    return answer.json()
  }
  const keys = readFileSync(join(folder, 'keys.json'), 'utf8')
  const { organization_id: organizationId } = JSON.parse(keys)
  const team = await request(server.baseUrl, 'GET', '/v2/user/metrics')
  const { team_id: teamId } = team.body as { team_id: string }
  await call(`/v1/org/${organizationId}/team/${teamId}/sandbox/webhook`, { url })
}

/**
 * A person, a sample under the trace of a caller, a read of it, and a connection whose past is
 * pulled.
 */
async function doSomething(): Promise<void> {
  const api = (method: string, path: string, body?: object) =>
    request(server.baseUrl, method, path, body)
  const made = await api('POST', '/v2/user', { client_user_id: CLIENT_USER_ID })
  userId = (made.body as { user_id: string }).user_id
  await api('POST', '/v2/link/provider/manual/manual', { user_id: userId })
  const sample = { value: 98.7654, unit: 'mg/dL', start_date: '2026-01-01T07:30:00Z' }
  const upload = await fetch(`${server.baseUrl}/v2/timeseries/${userId}/glucose`, {
    method: 'POST',
    headers: {
      'x-service-api-key': 'sk_us_0123456789abcdefghij',
      'content-type': 'application/json',
      traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
    },
    body: JSON.stringify({ stage: 'daily', provider: 'manual', data: [sample] }),
  })
  assert.equal(upload.status, 200)
  const path = `/v2/timeseries/${userId}/glucose/grouped?start_date=2026-01-01&end_date=2026-01-02`
  assert.equal((await api('GET', path)).status, 200)
  const token = await api('POST', '/v2/link/token', {
    user_id: userId,
    provider: 'abbott_libreview',
  })
  const { link_token } = token.body as { link_token: string }
  await fetch(`${server.baseUrl}/v2/link/provider/password/abbott_libreview`, {
    method: 'POST',
    headers: { 'x-service-link-token': link_token, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada@example.com', password: 'correct', region: 'us' }),
  })
  await until('the message arrives', () => messages.some((one) => one?.includes(CALLER.traceId)))
  await until('a pull', () => receiver.spans.some(({ name }) => name.startsWith('pull ')))
}

const spansOf = (traceId: string): ReceivedSpan[] =>
  receiver.spans.filter((span) => span.traceId === traceId)
const named = (name: string): ReceivedSpan => {
  const found = receiver.spans.find((span) => span.name === name)
  assert.ok(found, `${name} in ${[...new Set(receiver.spans.map((span) => span.name))].join(', ')}`)
  return found
}

test('a request continues the trace of its caller, down to both stores', () => {
  const spans = spansOf(CALLER.traceId)
  const root = spans.find(({ parentId }) => parentId === CALLER.spanId)
  assert.equal(root?.name, 'POST /v2/timeseries/:user_id/glucose')
  assert.equal(root.kind, 2)
  assert.equal(root.attributes['http.response.status_code'], 200)
  const batch = spans.find(({ name }) => name === 'batch samples')
  assert.equal(batch?.parentId, root.spanId)
  const insert = spans.find(({ name }) => name === 'INSERT samples')
  assert.equal(insert?.parentId, batch.spanId)
  assert.equal(insert.attributes['db.system.name'], 'clickhouse')
  assert.ok(spans.some((span) => span.attributes['db.system.name'] === 'postgresql'))
  for (const span of spans) assert.ok(span.milliseconds >= 0 && span.milliseconds < 60_000)
})

test('the message of an event continues the trace of what brought it about', () => {
  const attempt = spansOf(CALLER.traceId).find(({ name }) => name === 'webhook attempt')
  assert.ok(attempt)
  assert.equal(attempt.attributes['salus.event_type'], 'daily.data.glucose.created')
  assert.equal(attempt.attributes['http.response.status_code'], 200)
  assert.ok(messages.includes(`00-${CALLER.traceId}-${attempt.spanId}-01`))
})

test('a job continues the trace of the request that added it', () => {
  const linked = named('POST /v2/link/provider/password/:provider')
  const job = named('job plan_pulls')
  assert.equal(job.traceId, linked.traceId)
  assert.equal(job.kind, 5)
  const parent = spansOf(linked.traceId).find(({ spanId }) => spanId === job.parentId)
  assert.ok(parent)
})

test('a pull is a trace of its own, with the requests to the vendor', () => {
  const pull = receiver.spans.find(({ name }) => name === 'pull abbott_libreview')
  assert.equal(pull?.parentId, '')
  const asked = spansOf(pull.traceId).filter((span) => 'server.address' in span.attributes)
  assert.ok(asked.length > 0)
})

test('metrics arrive as they are counted', () => {
  const requests = receiver.metrics.get('salus_http_request_duration_seconds')
  const upload = requests?.find(
    ({ attributes }) => attributes.route === '/v2/timeseries/:user_id/glucose',
  )
  assert.deepEqual(upload?.attributes, {
    method: 'POST',
    route: '/v2/timeseries/:user_id/glucose',
    status: '2xx',
  })
  assert.equal(upload?.count, 1)
  assert.equal(upload?.buckets?.length, (upload?.bounds?.length ?? 0) + 1)
  assert.equal(
    upload?.buckets?.reduce((sum, count) => sum + count, 0),
    1,
  )
  const delivered = receiver.metrics.get('salus_webhook_attempts_total')
  assert.ok(delivered?.some(({ attributes, value }) => attributes.outcome === 'success' && value))
  const [memory] = receiver.metrics.get('process_resident_memory_bytes') ?? []
  assert.ok((memory?.value ?? 0) > 50e6)
  assert.ok(receiver.metrics.get('salus_job_duration_seconds')?.some(({ count }) => count))
})

test('the process is described, and the headers of the settings are sent along', () => {
  assert.equal(receiver.resource['service.name'], 'salus')
  assert.equal(receiver.resource['deployment.environment.name'], 'test')
  for (const headers of receiver.headers) assert.equal(headers['api-key'], 'a secret')
})

test('nothing that is sent or logged names a person or holds a value', () => {
  const said = `${receiver.bytes().toString('latin1')}\n${server.output()}`
  for (const secret of [
    userId,
    CLIENT_USER_ID,
    '98.7654',
    'ada@example.com',
    'correct',
    '2026-01-01',
  ]) {
    assert.ok(!said.includes(secret), secret)
  }
})

test('lines of the log name their trace, and slow statements show no values', () => {
  const lines = server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const upload = lines.find(({ trace_id: id }) => id === CALLER.traceId)
  assert.ok(upload)
  const slow = lines.filter(({ msg }) => msg === 'a slow statement')
  assert.ok(slow.some(({ store }) => store === 'clickhouse'))
  assert.ok(slow.some(({ store, text }) => store === 'postgres' && text.includes('$1')))
})
